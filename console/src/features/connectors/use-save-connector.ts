import { type Connector, createConnector, getConnector, listConnectors, updateConnector } from '@instep/contract/connectors.ts'
import { showToast } from '@instep/ui/toasts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { paths } from '../../paths.ts'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'
import { useRefusedFields } from '../../shared/use-refused-fields.ts'
import { filledIn, missingIn, type Property, type PropertyValue, shownProperties } from './properties.rules.ts'

/** What was typed into the form of a connector, without its secrets. */
export interface TypedConnector {
  definitionId: string
  name: string
  enabled: boolean
  permissions: number
  values: Record<string, PropertyValue>
}

interface Form {
  /** Null adds one. */
  connector: Connector | null
  typed: TypedConnector
  /** Those typed, and the secrets. */
  values: Readonly<Record<string, PropertyValue>>
  properties: readonly Property[]
}

const NAME = 'name'
/** How the server calls the input of a property. */
const inputOf = (name: string): string => `properties.${name}`

/** Saves a connector's form; says beside which input what keeps it from being saved. */
export const useSaveConnector = ({ connector, typed, values, properties }: Form, onSaved: () => void) => {
  const { t } = useTranslation(['connectors', 'common'])
  const { tenantId } = useScope()
  const go = useGo()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState(0)
  const inputs: Readonly<Record<string, unknown>> = {
    [NAME]: typed.name,
    ...Object.fromEntries(shownProperties(properties, values, connector).map(({ name }) => [inputOf(name), values[name]])),
  }
  const { refuse, refusalAt } = useRefusedFields(inputs)

  const onSuccess = (saved: Connector) => {
    for (const endpoint of [listConnectors, getConnector]) void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
    showToast({ kind: 'done', text: t(connector ? 'form.saved' : 'form.added', { name: saved.name }) })
    onSaved()
    if (!connector) go(paths.connector(saved.id))
  }
  const fieldsOf = (error: unknown): Record<string, string | undefined> => {
    if (!(error instanceof ApiProblem)) return {}
    const taken = error.code === 'CONNECTOR_NAME_TAKEN' ? { [NAME]: problemText(error) } : {}
    return { ...Object.fromEntries(Object.entries(error.fields).map(([field, [text]]) => [field, text])), ...taken }
  }
  const onError = (error: Error) => {
    refuse(fieldsOf(error))
    setRefused((count) => count + 1)
  }
  const create = useAction(createConnector, { onSuccess, onError })
  const update = useAction(updateConnector, { onSuccess, onError })
  const error = create.error ?? update.error
  const shownAtInput = Object.keys(fieldsOf(error)).some((field) => field in inputs)
  const missing = [...(typed.name.trim() === '' ? [NAME] : []), ...missingIn(properties, values, connector).map(inputOf)]

  const errorAt = (input: string, label: string): string | undefined =>
    asked && missing.includes(input) ? t('common:enterValue', { value: label.toLocaleLowerCase() }) : refusalAt(input)
  return {
    /** Grows with every save that was refused. */
    refused,
    busy: create.isPending || update.isPending,
    nameError: errorAt(NAME, t('form.name')),
    errorOf: (property: Property) => errorAt(inputOf(property.name), t(`properties.${property.name}.label`)),
    failure: error && !shownAtInput ? problemText(error) : null,
    save: () => {
      setAsked(true)
      if (create.isPending || update.isPending) return
      if (missing.length > 0) return setRefused((count) => count + 1)
      const { definitionId, name, enabled, permissions } = typed
      const body = { name, enabled, permissions, properties: filledIn(properties, values, connector) }
      if (connector) update.mutate({ params: { tenantId, id: connector.id }, body })
      else create.mutate({ params: { tenantId }, body: { ...body, definitionId } })
    },
  }
}
