import type { PostProcessorModule } from 'i18next'
import { directionOf } from './direction.ts'

/**
 * Words of the fallback language on a page that is read from right to left: each text keeps its own direction (Unicode's FSI and PDI around it), or
 * "10 of 48 shown" would be shown as "of 48 shown 10".
 */
export const isolatedWords = (isTranslated: (language: string) => boolean): PostProcessorModule => ({
  type: 'postProcessor',
  name: 'isolatedWords',
  process: (...[text, , , { language }]) =>
    text !== '' && directionOf(language) === 'rtl' && !isTranslated(language) ? `\u2068${text}\u2069` : text,
})
