import type { AttributeRule } from '@instep/contract/attribute-rules.ts'
import { getAttributeRules, getConformance, previewAttributeRules, setAttributeRules } from '@instep/contract/conformance.ts'
import type { Connector } from '@instep/contract/connectors.ts'
import { Button } from '@instep/ui/button.tsx'
import { Section } from '@instep/ui/section.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconEye, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import { AttributeRuleFields } from './attribute-rule-fields.tsx'
import { NEW_RULE, offeredPaths, wrongRules } from './attribute-rules.rules.ts'
import { AttributesPreview } from './attributes-preview.tsx'
import styles from './scim-target.module.css'

/** Which attributes a SCIM target gets, where that is not the usual, and what becomes of a real person. */
export function TargetAttributes({ connector }: { connector: Connector }) {
  const { t } = useTranslation('scim-target')
  const { tenantId } = useScope()
  const params = { tenantId, id: connector.id }
  const stored = useEndpoint(getAttributeRules, { params })
  const conformance = useEndpoint(getConformance, { params })
  return (
    <Section title={t('attributes.title')} hint={t('attributes.hint')}>
      {stored.error && <ProblemNotice error={stored.error} onRetry={stored.refetch} />}
      {stored.data && (
        <Editor
          key={stored.data.version ?? 0}
          params={params}
          kept={stored.data.rules}
          paths={offeredPaths(conformance.data?.run?.discovery?.attributes ?? [])}
        />
      )}
    </Section>
  )
}

interface EditorProps {
  params: { tenantId: string; id: string }
  kept: readonly AttributeRule[]
  paths: readonly string[]
}

/** A rule and what names it while it is edited. */
interface Row {
  key: number
  rule: AttributeRule
}

function Editor({ params, kept, paths }: EditorProps) {
  const { t } = useTranslation(['scim-target', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refusal = useRefusal().ofCall(setAttributeRules)
  const listId = useId()
  const [rows, setRows] = useState<readonly Row[]>(() => kept.map((rule, key) => ({ key, rule })))
  const [next, setNext] = useState(kept.length)
  const rules = rows.map(({ rule }) => rule)
  const wrong = wrongRules(rules)
  const changed = JSON.stringify(rules) !== JSON.stringify(kept)
  const save = useAction(setAttributeRules, {
    onSuccess: (saved) => {
      cache.setQueryData(endpointKey(getAttributeRules, { params }), saved)
      showToast({ kind: 'done', text: t('attributes.saved') })
    },
  })
  const preview = useAction(previewAttributeRules)
  const change = (key: number, rule: AttributeRule) => setRows(rows.map((row) => (row.key === key ? { key, rule } : row)))
  const unable = wrong.size > 0 ? t('attributes.wrong') : null
  const error = save.error ?? preview.error
  return (
    <div className={styles.editor}>
      <datalist id={listId}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {rows.length === 0 && <p className={styles.muted}>{t('attributes.none')}</p>}
      {rows.map(({ key, rule }, place) => (
        <AttributeRuleFields
          key={key}
          rule={rule}
          number={place + 1}
          listId={listId}
          wrong={wrong.has(place)}
          onChange={(changedRule) => change(key, changedRule)}
          onRemove={() => setRows(rows.filter((row) => row.key !== key))}
        />
      ))}
      <div className={styles.buttons}>
        <Button
          icon={IconPlus}
          onClick={() => {
            setRows([...rows, { key: next, rule: NEW_RULE }])
            setNext(next + 1)
          }}
        >
          {t('attributes.add')}
        </Button>
        <Button icon={IconEye} busy={preview.isPending} disabledReason={unable} onClick={() => preview.mutate({ params, body: { rules } })}>
          {t('attributes.preview')}
        </Button>
        {changed && (
          <>
            <Button
              variant="primary"
              busy={save.isPending}
              disabledReason={refusal ?? unable}
              onClick={() => save.mutate({ params, body: { rules } })}
            >
              {t('common:save')}
            </Button>
            <Button onClick={() => setRows(kept.map((rule, key) => ({ key, rule })))}>{t('attributes.discard')}</Button>
          </>
        )}
      </div>
      {error && (
        <p role="alert" className={styles.problem}>
          {problemText(error)}
        </p>
      )}
      {preview.data && <AttributesPreview preview={preview.data} />}
    </div>
  )
}
