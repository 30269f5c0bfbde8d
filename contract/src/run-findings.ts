/** What the guards found about a run. */
import { z } from 'zod'

/** The guards' codes, gravest first. */
export const HELD_CODES = [
  'lostColumn',
  'emptySource',
  'massDeactivation',
  'manifestRows',
  'manifestHash',
  'cutRecord',
  'fewerRows',
  'overLimit',
  'encodingChanged',
  'emptierColumn',
  'staleSource',
] as const

/** Why a run waits for a person: a guard's code and the figures its sentence needs. */
export const HeldReason = z.object({
  code: z.enum(HELD_CODES),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type HeldReason = z.infer<typeof HeldReason>

/** What was noticed and holds nobody up: columns that are new or stand elsewhere, guards that are off. */
export const RunNote = z.object({
  code: z.enum(['newColumns', 'movedColumns', 'guardOff']),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type RunNote = z.infer<typeof RunNote>
