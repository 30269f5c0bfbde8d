import exported from '@instep/contract/locales/en_GB/exports.json' with { type: 'json' }
import expression from '@instep/contract/locales/en_GB/expression.json' with { type: 'json' }
import plan from '@instep/contract/locales/en_GB/plan.json' with { type: 'json' }
import frenchExported from '@instep/contract/locales/fr_FR/exports.json' with { type: 'json' }
import frenchExpression from '@instep/contract/locales/fr_FR/expression.json' with { type: 'json' }
import frenchPlan from '@instep/contract/locales/fr_FR/plan.json' with { type: 'json' }
import { wordsFor } from '../../platform/http/accepted-languages.ts'

type Words = Readonly<Record<string, string>>

/** The words of a downloaded plan in one language. */
export interface PlanWords {
  readonly plan: Words & typeof plan
  /** Fields by their names. */
  readonly fields: Words
  readonly expression: Words
}

const WORDS = {
  'en-GB': { plan, fields: exported.columns, expression },
  'fr-FR': { plan: frenchPlan, fields: frenchExported.columns, expression: frenchExpression },
}

/** The words for a caller with this Accept-Language header; en_GB where it asks for no language that there is. */
export const planWords = (acceptLanguage: string | undefined): PlanWords => wordsFor<PlanWords>(WORDS, acceptLanguage)
