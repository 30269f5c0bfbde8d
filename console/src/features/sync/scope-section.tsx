import { fieldsOf } from '@instep/contract/holds-for.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionBuilder } from '../../shared/conditions/condition-builder.tsx'
import { conditionOf, type DraftGroup, draftOf, flawsOf } from '../../shared/conditions/condition-draft.rules.ts'
import { describeCondition } from '../../shared/conditions/describe-condition.ts'
import { Sentence } from '../../shared/conditions/sentence.tsx'
import { useSentenceWords } from '../../shared/conditions/use-sentence-words.ts'
import { withScope } from './mapping.rules.ts'
import styles from './sync.module.css'
import { type Sample, sampleInScope } from './transform.rules.ts'

interface ScopeSectionProps {
  mapping: Mapping
  sample: Sample
  onChange: (mapping: Mapping) => void
}

/** Who of the file is in scope: everybody, or those of whom a condition over the mapped fields holds. */
export function ScopeSection({ mapping, sample, onChange }: ScopeSectionProps) {
  const { t } = useTranslation(['transform', 'conditions'])
  const words = useSentenceWords()
  const [opened, setOpened] = useState(false)
  const { scope } = mapping
  return (
    <Section title={t('scope.title')}>
      <div className={styles.scope}>
        <p>
          {scope ? (
            <bdi>
              {t('conditions:people')} <Sentence parts={describeCondition(scope, words)} />.
            </bdi>
          ) : (
            t('scope.everybody')
          )}
        </p>
        {scope && <InScope mapping={mapping} sample={sample} />}
        <Button icon={IconFilter} onClick={() => setOpened(true)}>
          {t(scope ? 'scope.change' : 'scope.choose')}
        </Button>
        {opened && <ScopeDrawer mapping={mapping} sample={sample} onChange={onChange} onClose={() => setOpened(false)} />}
      </div>
    </Section>
  )
}

function ScopeDrawer({ mapping, sample, onChange, onClose }: ScopeSectionProps & { onClose: () => void }) {
  const { t } = useTranslation(['transform', 'common', 'conditions'])
  const [draft, setDraft] = useState<DraftGroup>(() => draftOf(mapping.scope ?? null))
  const [asked, setAsked] = useState(false)
  const flaws = flawsOf(draft)
  const offered = [...new Set([...Object.keys(mapping.fields), ...(mapping.scope ? fieldsOf(mapping.scope) : [])])]
  const change = (next: Mapping) => {
    onChange(next)
    onClose()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t('scope.title')}
      footer={
        <div className={styles.scopeFooter}>
          <span role="status">
            {flaws.size === 0 ? (
              <InScope mapping={withScope(mapping, conditionOf(draft))} sample={sample} />
            ) : (
              asked && t('conditions:incomplete')
            )}
          </span>
          {mapping.scope && (
            <Button size="form" variant="quiet" onClick={() => change(withScope(mapping, undefined))}>
              {t('scope.clear')}
            </Button>
          )}
          <Button size="form" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            size="form"
            variant="primary"
            onClick={() => (flaws.size === 0 ? change(withScope(mapping, conditionOf(draft))) : setAsked(true))}
          >
            {t('done')}
          </Button>
        </div>
      }
    >
      <div className={styles.scopeBody}>
        <p className={styles.lead}>{t('scope.lead')}</p>
        <ConditionBuilder draft={draft} flaws={asked ? flaws : NO_FLAWS} offered={offered} onChange={setDraft} />
      </div>
    </Drawer>
  )
}

const NO_FLAWS: ReturnType<typeof flawsOf> = new Map()

/** How many records of the sample are in scope today. */
function InScope({ mapping, sample }: Omit<ScopeSectionProps, 'onChange'>) {
  const { t } = useTranslation('transform')
  const total = sample.rows.length
  if (total === 0) return null
  return <span>{t('scope.count', { count: sampleInScope(mapping, sample, new Date().toISOString().slice(0, 10)), total })}</span>
}
