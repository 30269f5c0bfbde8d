import { isAllowedTitle } from './user-form.rules.ts'

interface TitlesPage {
  readonly data: readonly { readonly value: string }[]
  readonly continuationToken: string | null
}

/** Asks for page after page of the titles that hold this text, until one of them is the title itself; then that page, else the last one. */
export const findTitle = async (
  title: string,
  ask: (continuationToken: string | undefined) => Promise<TitlesPage>,
): Promise<TitlesPage['data']> => {
  let page = await ask(undefined)
  while (!isAllowedTitle(title, page.data) && page.continuationToken !== null) page = await ask(page.continuationToken)
  return page.data
}
