import { z } from 'zod'
import type { FieldCode } from './field-message.ts'
import { oneSpaced } from './folded-name.ts'

/**
 * A text of one line as a caller writes it: kept without line breaks, trimmed, and of at most so many code points.
 *
 * @param missing what is said of an empty one; left out: it may be empty
 * @param isName white space inside it is kept as one space, because nobody sees how much of it there is
 */
export const lineOfText = ({ longest, missing, isName = false }: { longest: number; missing?: FieldCode; isName?: boolean }) =>
  z
    .string()
    .transform((text) => text.replace(/[\r\n\u2028\u2029]/g, '').trim())
    .transform((line) => (isName ? oneSpaced(line) : line))
    .pipe(
      z
        .string()
        .min(missing ? 1 : 0, missing)
        .refine((text) => text.length <= longest || [...text].length <= longest, 'tooLong' satisfies FieldCode),
    )
