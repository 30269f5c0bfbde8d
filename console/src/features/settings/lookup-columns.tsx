import { type LookupValue, listLookups, type ReferenceKind, updateLookup } from '@instep/contract/lookups.ts'
import { Button } from '@instep/ui/button.tsx'
import type { Column } from '@instep/ui/data-table.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './settings.module.css'

interface LookupColumnsInput {
  kind: ReferenceKind
  /** Why values cannot be changed; null where they can. */
  refusal: string | null
  onEdit: (value: LookupValue) => void
}

/** Columns of a list of values; job titles say in which departments they are used. */
export const useLookupColumns = ({ kind, refusal, onEdit }: LookupColumnsInput): readonly Column<LookupValue>[] => {
  const { t } = useTranslation('settings')
  const { date, locale } = useFormat()
  return useMemo(() => {
    const names = new Intl.ListFormat(locale, { type: 'unit' })
    const columns: Column<LookupValue>[] = [
      {
        key: 'value',
        header: t('lookups.columns.value'),
        cell: (row) => <bdi className={`${styles.name} clamped`}>{row.value}</bdi>,
        width: '24%',
      },
    ]
    if (kind === 'JobTitle') {
      const cell = (row: LookupValue) => (row.departments.length === 0 ? t('lookups.anyDepartment') : names.format(row.departments))
      columns.push({ key: 'departments', header: t('lookups.columns.departments'), cell, width: '26%' })
    }
    return [
      ...columns,
      { key: 'origin', header: t('lookups.columns.origin'), cell: (row) => t(`lookups.origin.${row.origin}`) },
      {
        key: 'added',
        header: t('lookups.columns.added'),
        cell: (row) => <bdi>{date(row.createdAt.slice(0, 10))}</bdi>,
        width: '120px',
        figures: true,
      },
      {
        key: 'state',
        header: t('lookups.columns.state'),
        cell: (row) => (
          <RunMark state={row.retired ? 'disabled' : 'succeeded'} word={t(row.retired ? 'lookups.retired' : 'lookups.offered')} />
        ),
        width: '120px',
      },
      {
        key: 'actions',
        header: <span className="visually-hidden">{t('lookups.columns.actions')}</span>,
        cell: (row) => <RowActions value={row} refusal={refusal} onEdit={row.referenceType === 'JobTitle' ? onEdit : undefined} />,
        width: kind === 'JobTitle' ? '220px' : '130px',
      },
    ]
  }, [t, date, locale, kind, refusal, onEdit])
}

interface RowActionsProps {
  value: LookupValue
  refusal: string | null
  onEdit: ((value: LookupValue) => void) | undefined
}

/** Retires a value or offers it again, which a toast lets undo. */
function RowActions({ value, refusal, onEdit }: RowActionsProps) {
  const { t } = useTranslation('settings')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const update = useAction(updateLookup, {
    onSuccess: (saved) => {
      void cache.invalidateQueries({ queryKey: endpointKey(listLookups) })
      showToast({
        kind: 'done',
        text: t(saved.retired ? 'lookups.nowRetired' : 'lookups.nowOffered', { value: saved.value }),
        action: saved.retired === value.retired ? undefined : { label: t('lookups.undo'), run: () => set(value.retired) },
      })
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  const set = (retired: boolean) => update.mutate({ params: { tenantId, id: value.id }, body: { retired } })
  return (
    <span className={styles.rowActions}>
      {onEdit && (
        <Button
          variant="quiet"
          disabledReason={refusal}
          aria-label={t('lookups.departmentsOf', { value: value.value })}
          onClick={() => onEdit(value)}
        >
          {t('lookups.editDepartments')}
        </Button>
      )}
      <Button
        variant="quiet"
        disabledReason={refusal}
        busy={update.isPending}
        aria-label={t(value.retired ? 'lookups.offerOne' : 'lookups.retireOne', { value: value.value })}
        onClick={() => set(!value.retired)}
      >
        {t(value.retired ? 'lookups.offer' : 'lookups.retire')}
      </Button>
    </span>
  )
}
