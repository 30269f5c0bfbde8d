import { MOST_COMPARISONS } from '@instep/contract/conditions.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { IconBraces, IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ComparisonRow } from './comparison-row.tsx'
import {
  blankComparison,
  blankGroup,
  comparisonsIn,
  type DraftGroup,
  type DraftNode,
  type Flaw,
  type GroupMode,
  withNode,
} from './condition-draft.rules.ts'
import styles from './conditions.module.css'

/** How many levels of groups can be put together here; deeper ones that are there already are shown and kept. */
const DEEPEST = 3
const MODES: readonly GroupMode[] = ['all', 'any', 'none']

interface ConditionBuilderProps {
  draft: DraftGroup
  /** What to point out as missing, by node. */
  flaws: ReadonlyMap<number, Flaw>
  /** Fields to choose from, where not every field is. */
  offered?: readonly string[] | undefined
  onChange: (draft: DraftGroup) => void
}

/** Puts a condition tree together: groups on a rail, and in them field, operator and value. */
export function ConditionBuilder({ draft, flaws, offered, onChange }: ConditionBuilderProps) {
  const root = useRef<HTMLDivElement>(null)
  const added = useRef<number | null>(null)
  // what was just added is where one goes on; what was taken away leaves the focus with its group
  useEffect(() => {
    if (added.current === null) return
    root.current?.querySelector<HTMLElement>(`[data-node="${added.current}"] :is(select, input, button)`)?.focus()
    added.current = null
  })
  const change = (id: number, next: (node: DraftNode) => DraftNode | null) =>
    onChange(id === draft.id ? ((next(draft) ?? draft) as DraftGroup) : withNode(draft, id, next))
  const add = (groupId: number, node: DraftNode) => {
    added.current = 'parts' in node ? (node.parts[0]?.id ?? node.id) : node.id
    change(groupId, (group) => ('parts' in group ? { ...group, parts: [...group.parts, node] } : group))
  }
  const remove = (id: number, groupId: number) => {
    added.current = groupId
    onChange(withNode(draft, id, () => null))
  }
  return (
    <div ref={root}>
      <Group
        group={draft}
        level={1}
        flaws={flaws}
        offered={offered}
        full={comparisonsIn(draft) >= MOST_COMPARISONS}
        actions={{ change, add, remove }}
        parentId={null}
      />
    </div>
  )
}

interface BuilderActions {
  change: (id: number, next: (node: DraftNode) => DraftNode | null) => void
  add: (groupId: number, node: DraftNode) => void
  remove: (id: number, groupId: number) => void
}

interface GroupProps {
  group: DraftGroup
  /** 1 for the outermost. */
  level: number
  parentId: number | null
  flaws: ReadonlyMap<number, Flaw>
  offered: readonly string[] | undefined
  /** No more comparisons fit. */
  full: boolean
  actions: BuilderActions
}

function Group({ group, level, parentId, flaws, offered, full, actions }: GroupProps) {
  const { t } = useTranslation('conditions')
  const modes = MODES.includes(group.mode) ? MODES : [...MODES, group.mode]
  const off = full ? t('full', { count: MOST_COMPARISONS }) : null
  return (
    <fieldset
      className={`${styles.group} ${group.mode === 'all' ? '' : styles.dashed} ${level > 1 ? styles.nested : ''}`}
      data-node={group.id}
      aria-label={t('group')}
    >
      <div className={styles.head}>
        <div className={styles.mode}>
          <SelectField
            label={t('modeLabel')}
            hideLabel
            toolbar
            value={group.mode}
            options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
            onChange={(mode) => actions.change(group.id, () => ({ ...group, mode: mode as GroupMode }))}
          />
        </div>
        {parentId !== null && <IconButton icon={IconX} label={t('removeGroup')} onClick={() => actions.remove(group.id, parentId)} />}
      </div>
      {flaws.get(group.id) && <p className={styles.flaw}>{t('incomplete')}</p>}
      {group.parts.map((part) =>
        'parts' in part ? (
          <Group
            key={part.id}
            group={part}
            level={level + 1}
            parentId={group.id}
            flaws={flaws}
            offered={offered}
            full={full}
            actions={actions}
          />
        ) : (
          <ComparisonRow
            key={part.id}
            comparison={part}
            flaw={flaws.get(part.id)}
            offered={offered}
            onChange={(next) => actions.change(part.id, () => next)}
            onRemove={() => actions.remove(part.id, group.id)}
          />
        ),
      )}
      <div className={styles.adders}>
        <Button variant="quiet" icon={IconPlus} disabledReason={off} onClick={() => actions.add(group.id, blankComparison())}>
          {t('addCondition')}
        </Button>
        {level < DEEPEST && (
          <Button
            variant="quiet"
            icon={IconBraces}
            disabledReason={off}
            onClick={() => actions.add(group.id, blankGroup(group.mode === 'any' ? 'all' : 'any'))}
          >
            {t('addGroup')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
