import { z } from 'zod'
import type { FieldCode } from './field-message.ts'

/** Whether a text is of at most so many code points. */
export const isWithin = (text: string, longest: number): boolean => text.length <= longest || [...text].length <= longest

/** `text` of at most so many code points, as the console's fields and the database count them; `max` would count an emoji twice. */
export const upTo = (longest: number, text = z.string()) =>
  text.refine((value) => isWithin(value, longest), 'tooLong' satisfies FieldCode).meta({ maxLength: longest })

/**
 * A text of one line as a caller writes it: kept without line breaks, trimmed, and of at most so many code points.
 *
 * @param missing what is said of an empty one; left out: it may be empty
 */
export const lineOfText = ({ longest, missing }: { longest: number; missing?: FieldCode }) =>
  z
    .string()
    .transform((text) => text.replace(/[\r\n\u2028\u2029]/g, '').trim())
    .pipe(
      z
        .string()
        .min(missing ? 1 : 0, missing)
        .refine((text) => isWithin(text, longest), 'tooLong' satisfies FieldCode),
    )
