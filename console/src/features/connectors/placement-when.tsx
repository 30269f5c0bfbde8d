import type { PlacementRule } from '@instep/contract/placement.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionBuilder } from '../../shared/conditions/condition-builder.tsx'
import { conditionOf, type DraftGroup, draftOf, flawsOf } from '../../shared/conditions/condition-draft.rules.ts'
import styles from './placement.module.css'

const NO_FLAWS: ReturnType<typeof flawsOf> = new Map()

interface PlacementWhenProps {
  rule: PlacementRule
  onChange: (rule: PlacementRule) => void
  onClose: () => void
}

/** Of whom a rule speaks: a condition over what the source says, or everybody. */
export function PlacementWhen({ rule: { when, ...rule }, onChange, onClose }: PlacementWhenProps) {
  const { t } = useTranslation(['placement', 'common', 'conditions'])
  const [draft, setDraft] = useState<DraftGroup>(() => draftOf(when ?? null))
  const [asked, setAsked] = useState(false)
  const flaws = flawsOf(draft)
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t('whenTitle')}
      footer={
        <div className={styles.footer}>
          <span role="status">{asked && flaws.size > 0 && t('conditions:incomplete')}</span>
          {when && (
            <Button size="form" variant="quiet" onClick={() => onChange(rule)}>
              {t('forEverybody')}
            </Button>
          )}
          <Button size="form" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            size="form"
            variant="primary"
            onClick={() => (flaws.size === 0 ? onChange({ ...rule, when: conditionOf(draft) }) : setAsked(true))}
          >
            {t('take')}
          </Button>
        </div>
      }
    >
      <div className={styles.whenBody}>
        <ConditionBuilder draft={draft} flaws={asked ? flaws : NO_FLAWS} offered={userFieldNames} onChange={setDraft} />
      </div>
    </Drawer>
  )
}
