import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HeldPerson } from '../../kit/testing/fetching-source-contract.ts'

/** People as a CSV file. */
export const csvOfPeople = (people: readonly HeldPerson[]): string =>
  ['id,name', ...people.map(({ id, name }) => `${id},"${name.replaceAll('"', '""')}"`), ''].join('\n')

/** Writes `people.csv`, each time a minute newer, because some systems keep whole seconds only. */
export const filesIn = (folder: string) => {
  let minutes = 0
  return (content: string, name = 'people.csv'): void => {
    minutes += 1
    const file = path.join(folder, name)
    writeFileSync(file, content)
    const at = new Date(Date.UTC(2026, 0, 1, 0, minutes))
    utimesSync(file, at, at)
  }
}
