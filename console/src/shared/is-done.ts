import type { Run } from '@instep/contract/sync.ts'

/** Whether a run has carried out its plan; of any other run the counts tell what it planned. */
export const isDone = ({ state, trial }: Pick<Run, 'state' | 'trial'>): boolean =>
  !trial && (state === 'succeeded' || state === 'partlySucceeded')
