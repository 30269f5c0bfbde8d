import { z } from 'zod'
import type { FieldCode } from './field-message.ts'

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
        .refine((text) => text.length <= longest || [...text].length <= longest, 'tooLong' satisfies FieldCode),
    )
