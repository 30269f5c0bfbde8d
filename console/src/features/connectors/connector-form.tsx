import {
  type Connector,
  type ConnectorDefinition,
  createConnector,
  getConnector,
  listConnectors,
  listDefinitions,
  updateConnector,
} from '@instep/contract/connectors.ts'
import { EVERY_PERMISSION } from '@instep/contract/roles.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { paths } from '../../paths.ts'
import { FormFooter } from '../../shared/form-footer.tsx'
import { FramedDrawer } from '../../shared/framed-drawer.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useDraft } from '../../shared/use-draft.ts'
import { useGo } from '../../shared/use-go.ts'
import styles from './connectors.module.css'
import { PermissionFields } from './permission-fields.tsx'
import { filledIn, missingIn, type PropertyValue, propertiesOf, shownProperties } from './properties.rules.ts'
import { PropertyField } from './property-field.tsx'

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

/** What was typed into the form, without its secrets. */
interface Typed {
  definitionId: string
  name: string
  enabled: boolean
  permissions: number
  values: Record<string, PropertyValue>
}

const draftKey = (connector: Connector | null): string => `connector.${connector?.id ?? 'new'}`

interface FieldsProps {
  definitions: readonly ConnectorDefinition[]
  connector: Connector | null
  onClose: () => void
}

function Fields({ definitions, connector, onClose }: FieldsProps) {
  const { t } = useTranslation(['connectors', 'common'])
  const draft = useDraft<Typed>(draftKey(connector), {
    definitionId: connector?.definitionId ?? 'file',
    name: connector?.name ?? '',
    enabled: connector?.enabled ?? true,
    permissions: connector?.permissions ?? EVERY_PERMISSION,
    values: {},
  })
  // secrets are never kept, not even in a draft
  const [secrets, setSecrets] = useState<Record<string, PropertyValue>>({})
  const { definitionId, name, enabled, permissions = EVERY_PERMISSION } = draft.value
  const values = { ...draft.value.values, ...secrets }
  const change = (changed: Partial<Typed>) => draft.change((before) => ({ ...before, ...changed }))
  const [asked, setAsked] = useState(false)
  const definition = definitions.find(({ id }) => id === definitionId)
  const properties = definition ? propertiesOf(definition) : []
  const close = () => {
    draft.clear()
    onClose()
  }
  const save = useSave(connector, close)
  const missing = missingIn(properties, values, connector)
  const errorOf = (field: string, label: string) =>
    save.fields[field]?.[0] ??
    (asked && (field === 'name' ? name.trim() === '' : missing.includes(field))
      ? t('common:enterValue', { value: label.toLocaleLowerCase() })
      : undefined)
  const submit = () => {
    setAsked(true)
    if (missing.length > 0 || name.trim() === '') return
    save.run({ name, enabled, permissions, definitionId, properties: filledIn(properties, values, connector) })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {!connector && (
        <SelectField
          label={t('form.definition')}
          hint={t(`definitions.${definitionId}.about`)}
          value={definitionId}
          options={definitions.map(({ id }) => ({ value: id, label: t(`definitions.${id}.name`) }))}
          onChange={(id) => {
            change({ definitionId: id, values: {} })
            setSecrets({})
          }}
        />
      )}
      <TextField
        label={t('form.name')}
        required
        value={name}
        onChange={(typed) => change({ name: typed })}
        error={errorOf('name', t('form.name')) ?? save.nameTaken}
      />
      {shownProperties(properties, values, connector).map((property) => (
        <PropertyField
          key={property.name}
          property={property}
          connector={connector}
          value={values[property.name]}
          error={errorOf(property.name, t(`properties.${property.name}.label`))}
          onChange={(value) =>
            property.secret
              ? setSecrets((before) => ({ ...before, [property.name]: value }))
              : change({ values: { ...draft.value.values, [property.name]: value } })
          }
        />
      ))}
      {definition?.kind === 'source' && <PermissionFields value={permissions} onChange={(mask) => change({ permissions: mask })} />}
      {connector && <Checkbox label={t('form.enabled')} showLabel checked={enabled} onChange={(checked) => change({ enabled: checked })} />}
      <button type="submit" hidden />
      <FormFooter failure={save.problem} onCancel={close} busy={save.busy} onSubmit={submit} />
    </form>
  )
}

interface Filled {
  name: string
  enabled: boolean
  permissions: number
  definitionId: string
  properties: Record<string, string | number | boolean | null>
}

const useSave = (connector: Connector | null, onClose: () => void) => {
  const { t } = useTranslation('connectors')
  const { tenantId } = useScope()
  const go = useGo()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const refresh = () => {
    cache.invalidateQueries({ queryKey: endpointKey(listConnectors) })
    cache.invalidateQueries({ queryKey: endpointKey(getConnector) })
  }
  const done = (saved: Connector) => {
    refresh()
    onClose()
    showToast({ kind: 'done', text: t(connector ? 'form.saved' : 'form.added', { name: saved.name }) })
    if (!connector) go(paths.connector(saved.id))
  }
  const create = useAction(createConnector, { onSuccess: done })
  const update = useAction(updateConnector, { onSuccess: done })
  const error = create.error ?? update.error
  const taken = error instanceof ApiProblem && error.code === 'CONNECTOR_NAME_TAKEN'
  const fields = (error instanceof ApiProblem ? error.fields : undefined) ?? {}
  return {
    run: ({ definitionId, ...given }: Filled) =>
      connector
        ? update.mutate({ params: { tenantId, id: connector.id }, body: given })
        : create.mutate({ params: { tenantId }, body: { ...given, definitionId } }),
    busy: create.isPending || update.isPending,
    fields,
    nameTaken: taken ? problemText(error) : undefined,
    problem: error && !taken && Object.keys(fields).length === 0 ? problemText(error) : undefined,
  }
}
