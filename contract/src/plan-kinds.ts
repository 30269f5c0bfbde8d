/** What a plan does with a record or a person; `future`: starts later, `leave`: an end date is set that has not come. */
export const PLAN_KINDS = [
  'create',
  'update',
  'deactivate',
  'reactivate',
  'future',
  'leave',
  'unchanged',
  'outOfScope',
  'conflict',
  'invalid',
] as const
