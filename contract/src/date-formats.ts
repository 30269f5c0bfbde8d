/** The orders in which a source writes the day, the month and the year. */
import { z } from 'zod'

export const DATE_FORMATS = ['DMY', 'MDY', 'YMD'] as const
export const DateFormat = z.enum(DATE_FORMATS)
export type DateFormat = z.infer<typeof DateFormat>
