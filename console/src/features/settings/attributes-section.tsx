import { type ClaimField, getClaimFields, MOST_ACTIVE_CLAIM_FIELDS, setClaimFields } from '@instep/contract/settings.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { PageToolbar } from '@instep/ui/page.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { IconPlus, IconShieldLock } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import { AttributeDialog } from './attribute-dialog.tsx'
import { isFull } from './attributes.rules.ts'
import { RemoveAttribute } from './remove-attribute.tsx'
import styles from './settings.module.css'
import { useAttributeText } from './use-attribute-text.ts'
import { useSaveAttributes } from './use-save-attributes.ts'

/** What people are asked for when they claim their account: fields of their profile, and attributes of the tenant's own. */
export function AttributesSection() {
  const { t } = useTranslation(['settings', 'common'])
  const { tenantId } = useScope()
  const refusal = useRefusal().ofCall(setClaimFields)
  // one for all rows: what is sent is the whole set, so that two at a time would undo each other
  const save = useSaveAttributes()
  const query = useEndpoint(getClaimFields, { params: { tenantId } })
  const fields = query.data?.claimFields
  const [editing, setEditing] = useState<ClaimField | 'new' | null>(null)
  const [removing, setRemoving] = useState<ClaimField | null>(null)
  const columns = useColumns({ fields: fields ?? [], refusal, save, onEdit: setEditing, onRemove: setRemoving })
  const active = fields?.filter(({ enabled }) => enabled).length ?? 0
  return (
    <>
      <div className={styles.tools}>
        <PageToolbar>
          <p className={styles.status}>
            {t('attributes.about')} {fields && <bdi>{t('attributes.active', { count: active, most: MOST_ACTIVE_CLAIM_FIELDS })}</bdi>}
          </p>
          <Button
            variant="primary"
            icon={IconPlus}
            disabledReason={refusal ?? (fields ? null : t('common:loading'))}
            onClick={() => setEditing('new')}
          >
            {t('attributes.add')}
          </Button>
        </PageToolbar>
      </div>
      <DataTable
        label={t('tabs.attributes')}
        columns={columns}
        rows={fields}
        rowKey={(row) => row.id}
        busy={query.isFetching}
        empty={<EmptyState icon={IconShieldLock} title={t('attributes.none')} />}
        error={query.error && <ProblemNotice error={query.error} title={t('common:fetchFieldsFailed')} onRetry={query.refetch} />}
      />
      <AttributeDialog
        fields={fields ?? []}
        opened={editing !== null}
        attribute={editing === 'new' ? null : editing}
        onClose={() => setEditing(null)}
      />
      <RemoveAttribute fields={fields ?? []} attribute={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

interface ColumnsInput {
  fields: readonly ClaimField[]
  refusal: string | null
  save: ReturnType<typeof useSaveAttributes>
  onEdit: (field: ClaimField) => void
  onRemove: (field: ClaimField) => void
}

const useColumns = ({ fields, refusal, save, onEdit, onRemove }: ColumnsInput): readonly Column<ClaimField>[] => {
  const { t } = useTranslation('settings')
  const nameOf = useAttributeText()
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('attributes.columns.name'),
        cell: (row) => (
          <>
            <bdi className={`${styles.name} clamped`}>{nameOf(row)}</bdi>
            {row.description && <div className={`${styles.second} clamped`}>{row.description}</div>}
          </>
        ),
        width: '34%',
      },
      { key: 'type', header: t('attributes.columns.type'), cell: (row) => t(`attributes.types.${row.type}`), width: '120px' },
      {
        key: 'from',
        header: t('attributes.columns.from'),
        cell: (row) => t(row.isDefault ? 'attributes.fromProfile' : 'attributes.ownValue'),
      },
      {
        key: 'state',
        header: t('attributes.columns.state'),
        cell: (row) => (
          <RunMark state={row.enabled ? 'succeeded' : 'disabled'} word={t(row.enabled ? 'attributes.on' : 'attributes.off')} />
        ),
        width: '140px',
      },
      {
        key: 'actions',
        header: <span className="visually-hidden">{t('attributes.columns.actions')}</span>,
        cell: (row) => <RowActions {...{ fields, field: row, refusal, save, onEdit, onRemove }} />,
        width: '300px',
      },
    ],
    [t, nameOf, fields, refusal, save, onEdit, onRemove],
  )
}

interface RowActionsProps extends ColumnsInput {
  field: ClaimField
}

function RowActions({ fields, field, refusal, save, onEdit, onRemove }: RowActionsProps) {
  const { t } = useTranslation(['settings', 'problems'])
  const name = useAttributeText()(field)
  const full = !field.enabled && isFull(fields) ? t('problems:TOO_MANY_ACTIVE_FIELDS') : null
  return (
    <span className={styles.rowActions}>
      <Button
        variant="quiet"
        disabledReason={refusal ?? full}
        busy={save.busy}
        aria-label={t(field.enabled ? 'attributes.switchOffOne' : 'attributes.switchOnOne', { name })}
        onClick={() => save.switchTo(fields, { ...field, enabled: !field.enabled })}
      >
        {t(field.enabled ? 'attributes.switchOff' : 'attributes.switchOn')}
      </Button>
      {!field.isDefault && (
        <>
          <Button variant="quiet" disabledReason={refusal} aria-label={t('attributes.editOne', { name })} onClick={() => onEdit(field)}>
            {t('attributes.edit')}
          </Button>
          <Button variant="quiet" disabledReason={refusal} aria-label={t('attributes.removeOne', { name })} onClick={() => onRemove(field)}>
            {t('attributes.remove')}
          </Button>
        </>
      )}
    </span>
  )
}
