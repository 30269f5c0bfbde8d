import { listAssignees, TASK_KINDS, type TaskFilter } from '@instep/contract/target-tasks.ts'
import { Button } from '@instep/ui/button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { AGES } from './tasks.rules.ts'

interface TaskFiltersProps {
  filter: TaskFilter
  onChange: (change: Record<string, string | undefined>) => void
}

/** Narrows the list by kind, by whose they are, and by age; a target comes from the address. */
export function TaskFilters({ filter, onChange }: TaskFiltersProps) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const assignees = useEndpoint(listAssignees, { params: { tenantId } })
  return (
    <>
      <SelectField
        label={t('kind')}
        hideLabel
        toolbar
        value={filter.kind ?? ''}
        options={[{ value: '', label: t('everyKind') }, ...TASK_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))]}
        onChange={(kind) => onChange({ kind: kind || undefined })}
      />
      <SelectField
        label={t('assigned')}
        hideLabel
        toolbar
        value={filter.assigned ?? ''}
        options={[
          { value: '', label: t('everybodys') },
          { value: 'me', label: t('mine') },
          { value: 'nobody', label: t('nobodys') },
          ...(assignees.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(assigned) => onChange({ assigned: assigned || undefined })}
      />
      <SelectField
        label={t('age')}
        hideLabel
        toolbar
        value={filter.olderThanDays === undefined ? '' : String(filter.olderThanDays)}
        options={[
          { value: '', label: t('everyAge') },
          ...AGES.map((days) => ({ value: String(days), label: t('olderThan', { count: days, days: number(days) }) })),
        ]}
        onChange={(age) => onChange({ age: age || undefined })}
      />
      {filter.targetId && <Button onClick={() => onChange({ targetId: undefined })}>{t('everyTarget')}</Button>}
    </>
  )
}
