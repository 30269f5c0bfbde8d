/** `clearOverridesHandler` carries out the runs that take overrides back; `lapseOverrides` takes back those whose day is over. */
export { CLEAR_RUN, clearOverridesHandler } from './clear-overrides.ts'
export { lapseOverrides } from './lapse-overrides.ts'
