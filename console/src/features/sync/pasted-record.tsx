import { type Explanation, explainRecord } from '@instep/contract/explain.ts'
import { Button } from '@instep/ui/button.tsx'
import { TextAreaField } from '@instep/ui/text-area-field.tsx'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import styles from './explain.module.css'

/** Takes a header line and a row as they are copied from a file, and asks what would happen to it. */
export function PastedRecord({ connectorId, onTold }: { connectorId: string; onTold: (told: Explanation) => void }) {
  const { t } = useTranslation('explain')
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const ask = useAction(explainRecord, { onSuccess: onTold })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
    setMissing(lines.length < 2)
    if (lines.length >= 2) ask.mutate({ params: { connectorId }, body: { text } })
  }
  return (
    <form className={styles.pasted} onSubmit={submit}>
      <p>{t('paste.lead')}</p>
      <TextAreaField
        label={t('paste.label')}
        hint={t('paste.hint')}
        error={missing ? t('paste.missing') : undefined}
        rows={4}
        value={text}
        onChange={setText}
        longest={100_000}
        spellCheck={false}
      />
      <Button type="submit" variant="primary" size="form" busy={ask.isPending}>
        {t('paste.ask')}
      </Button>
      {ask.error && <ProblemNotice error={ask.error} />}
    </form>
  )
}
