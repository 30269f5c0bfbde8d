import { type Connector, type ConnectorDefinition, createConnector, listDefinitions, updateConnector } from '@instep/contract/connectors.ts'
import { EVERY_PERMISSION } from '@instep/contract/roles.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFrameClose } from '../../shared/drawer-frame.tsx'
import { FormFooter } from '../../shared/form-footer.tsx'
import { FormNotice } from '../../shared/form-notice.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { LeaveDialog } from '../../shared/leave-dialog.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useFocusOnProblem } from '../../shared/use-focus-on-problem.ts'
import { useLeaveGuard } from '../../shared/use-leave-guard.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { useSaveShortcut } from '../../shared/use-save-shortcut.ts'
import styles from './connectors.module.css'
import { PermissionFields } from './permission-fields.tsx'
import { changedProperties, type PropertyValue, propertiesOf, shownProperties } from './properties.rules.ts'
import { PropertyField } from './property-field.tsx'
import { type TypedConnector, useSaveConnector } from './use-save-connector.ts'

interface ConnectorFormProps {
  opened: boolean
  /** Null adds one. */
  connector: Connector | null
  onClose: () => void
}

/** Adds or changes a connector; the fields come from the definition's own schema. */
export function ConnectorForm({ opened, connector, onClose }: ConnectorFormProps) {
  const { t } = useTranslation(['connectors', 'common'])
  const definitions = useEndpoint(listDefinitions, {}, { enabled: opened })
  const list = definitions.data?.data
  return (
    <FramedDrawer opened={opened} onClose={onClose} title={connector ? t('form.edit', { name: connector.name }) : t('form.add')}>
      {definitions.error ? (
        <ProblemNotice error={definitions.error} onRetry={definitions.refetch} />
      ) : list ? (
        <Fields definitions={list} connector={connector} onClose={onClose} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </FramedDrawer>
  )
}

const draftKey = (connector: Connector | null): string => `connector.${connector?.id ?? 'new'}`

const typedOf = (connector: Connector | null): TypedConnector => ({
  definitionId: connector?.definitionId ?? 'file',
  name: connector?.name ?? '',
  enabled: connector?.enabled ?? true,
  permissions: connector?.permissions ?? EVERY_PERMISSION,
  values: {},
})

interface FieldsProps {
  definitions: readonly ConnectorDefinition[]
  connector: Connector | null
  onClose: () => void
}

function Fields({ definitions, connector, onClose }: FieldsProps) {
  const { t } = useTranslation(['connectors', 'common'])
  const [initial] = useState(() => typedOf(connector))
  const draft = useDraft<TypedConnector>(draftKey(connector), initial)
  // secrets are never kept, not even in a draft
  const [secrets, setSecrets] = useState<Record<string, PropertyValue>>({})
  const typed = { ...initial, ...draft.value }
  const values = { ...typed.values, ...secrets }
  const change = (changed: Partial<TypedConnector>) => draft.change((before) => ({ ...before, ...changed }))
  const form = useRef<HTMLFormElement>(null)
  const refusal = useRefusal().ofCall(connector ? updateConnector : createConnector)
  const definition = definitions.find(({ id }) => id === typed.definitionId)
  const properties = definition ? propertiesOf(definition) : []
  const guard = useLeaveGuard(
    OWN.some((member) => typed[member] !== initial[member]) || changedProperties(properties, values, connector).length > 0,
  )
  const save = useSaveConnector({ connector, typed, values, properties }, () => {
    guard.release()
    draft.clear()
    onClose()
  })
  useFrameClose(() => guard.leave(onClose))
  useFocusOnProblem(form, save.refused)
  useSaveShortcut(() => !guard.asking && refusal === null && save.save())
  return (
    <>
      <form
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (refusal === null) save.save()
        }}
      >
        {(refusal || draft.restored) && <FormNotice>{refusal ?? t('common:restored')}</FormNotice>}
        {!connector && (
          <SelectField
            label={t('form.definition')}
            hint={t(`definitions.${typed.definitionId}.about`)}
            value={typed.definitionId}
            options={definitions.map(({ id }) => ({ value: id, label: t(`definitions.${id}.name`) }))}
            onChange={(id) => {
              change({ definitionId: id, values: {} })
              setSecrets({})
            }}
          />
        )}
        <TextField label={t('form.name')} required value={typed.name} onChange={(name) => change({ name })} error={save.nameError} />
        {shownProperties(properties, values, connector).map((property) => (
          <PropertyField
            key={property.name}
            property={property}
            connector={connector}
            value={values[property.name]}
            error={save.errorOf(property)}
            onChange={(value) =>
              property.secret
                ? setSecrets((before) => ({ ...before, [property.name]: value }))
                : change({ values: { ...typed.values, [property.name]: value } })
            }
          />
        ))}
        {definition?.kind === 'source' && (
          <PermissionFields value={typed.permissions} onChange={(permissions) => change({ permissions })} />
        )}
        {connector && (
          <Checkbox label={t('form.enabled')} showLabel checked={typed.enabled} onChange={(checked) => change({ enabled: checked })} />
        )}
        <button type="submit" hidden />
      </form>
      <FormFooter
        failure={save.failure}
        onCancel={() => guard.leave(onClose)}
        busy={save.busy}
        disabledReason={refusal}
        onSubmit={save.save}
      />
      <LeaveDialog guard={guard} discard={draft.clear} />
    </>
  )
}

/** What a connector has beside its definition's properties. */
const OWN = ['definitionId', 'name', 'enabled', 'permissions'] as const
