import { type ExpressionStep, expressionEngine } from '@instep/contract/expression-engine.ts'
import { LONGEST_EXPRESSION, type Transform } from '@instep/contract/transforms.ts'
import { TextAreaField } from '@instep/ui/text-area-field.tsx'
import { useTranslation } from 'react-i18next'
import styles from './transform.module.css'
import { useDetail } from './use-detail.ts'

interface ExpressionFieldsProps {
  step: ExpressionStep
  columns: readonly string[]
  onChange: (step: Transform) => void
}

/** A JSONata expression, checked while it is written; the columns that it names are found in it. */
export function ExpressionFields({ step, columns, onChange }: ExpressionFieldsProps) {
  const { t } = useTranslation('transform')
  const detail = useDetail()
  const engine = expressionEngine()
  const fault = step.text === '' ? undefined : engine.check(step)
  const wrong = fault && t('expression.fault', { position: Math.max(1, fault.position), detail: detail(fault) })
  return (
    <div className={styles.expression}>
      <TextAreaField
        label={t('expression.label')}
        hint={t('expression.hint')}
        error={step.text === '' ? t('missing') : wrong}
        rows={4}
        longest={LONGEST_EXPRESSION}
        dir="ltr"
        spellCheck={false}
        value={step.text}
        onChange={(text) => onChange({ ...step, text, columns: engine.columnsIn(text, columns) })}
      />
    </div>
  )
}
