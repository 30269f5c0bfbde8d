import type { Locator, Page } from '@playwright/test'

const MOST_STOPS = 120

/** Presses Tab until something has the focus, as a person does who sees where it goes. */
export const tabTo = async (page: Page, wanted: Locator): Promise<void> => {
  await wanted.waitFor({ state: 'attached' })
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never comes to ${wanted}.`)
}

/** Goes to something with Tab and presses Enter on it. */
export const enterOn = async (page: Page, wanted: Locator): Promise<void> => {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}

/** Goes to an input with Tab and types over what it holds. */
export const typeInto = async (page: Page, wanted: Locator, text: string): Promise<void> => {
  await tabTo(page, wanted)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Goes to a list of choices with Tab and down it by arrow: letters typed slowly, as on a busy machine, would each begin a word of their own. */
export const arrowTo = async (page: Page, wanted: Locator, choice: string): Promise<void> => {
  await tabTo(page, wanted)
  await page.keyboard.press('Home')
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if ((await wanted.inputValue()) === choice) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`${choice} is not among the choices of ${wanted}.`)
}
