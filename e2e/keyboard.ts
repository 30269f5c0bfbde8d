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
