/** What is versioned of a connector: every change makes a new version, and every run names the one it used (data-model.md, `connector_versions`). */
import { z } from 'zod'
import { AttributeRules } from './attribute-rules.ts'
import { GracePeriod } from './grace-period.ts'
import { GuardConfig } from './guard-settings.ts'
import { Matching } from './matching.ts'
import { Placement } from './placement.ts'
import { Mapping } from './sync.ts'

/** The parts of a connector's configuration; `attributes` is a target's, the others are a source's. A part that was never set is absent, and its defaults hold. */
export const ConnectorConfig = z.object({
  mapping: Mapping.optional(),
  /** The version that brought this mapping and placement; records read by it need not be read again by a later version. */
  mappingVersion: z.number().int().optional(),
  matching: Matching.optional(),
  guard: GuardConfig.optional(),
  attributes: AttributeRules.optional(),
  placement: Placement.optional(),
  grace: GracePeriod.optional(),
})
export type ConnectorConfig = z.infer<typeof ConnectorConfig>
