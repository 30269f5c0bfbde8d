/** What goes wrong with exports in real life, one kind at a time. */

export const TROUBLES = {
  'missing-people': { name: 'People missing', what: 'The export stops early: the last 30 % of the people are not in it.' },
  'header-only': { name: 'Header only', what: 'The export has its header and not one person.' },
  'renamed-column': { name: 'Column renamed', what: 'The column "Person ID" is called "Worker reference".' },
  'bad-rows': {
    name: 'Bad rows',
    what: 'One start date is 31/02/2024, one last name is missing, and two rows have the same person ID.',
  },
} as const

export type Trouble = keyof typeof TROUBLES

export const isTrouble = (value: unknown): value is Trouble => typeof value === 'string' && Object.hasOwn(TROUBLES, value)
