import { CONDITION_FIELDS, type Comparison, conditionField, conditionFieldNames } from '@instep/contract/conditions.ts'
import { type ClaimField, getClaimFields } from '@instep/contract/settings.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../scope.tsx'
import { useOfferedConnectors } from '../use-offered-connectors.ts'

const KEPT_FOR = 60_000
const CLAIM = 'claimFields.'
const FIELD_NAMES: readonly string[] = userFieldNames

export interface NamedValue {
  readonly value: string
  readonly label: string
}

/** How fields and values of conditions are called: by the words of the form, and by the names of what the directory knows. */
export const useConditionNames = () => {
  const { t } = useTranslation(['conditions', 'people', 'common'])
  const { tenantId, sites, siteGroups } = useScope()
  const { date, number } = useFormat()
  const connectors = useOfferedConnectors()
  const claims = useEndpoint(getClaimFields, { params: { tenantId } }, { staleTime: KEPT_FOR }).data?.claimFields
  return useMemo(() => {
    const fieldName = (field: string): string => {
      if (field.startsWith(CLAIM)) return claimName(claims, field) ?? t('conditions:unknownField')
      if (FIELD_NAMES.includes(field)) return t(`people:fields.${field}`)
      return Object.hasOwn(CONDITION_FIELDS, field) ? t(`conditions:fields.${field}`) : t('conditions:unknownField')
    }
    const ids: Record<string, readonly NamedValue[] | undefined> = {
      siteId: sites?.map(named),
      siteGroupId: siteGroups?.map(named),
      connectorId: connectors?.map(named),
    }
    /** The values to choose from: of a choice, or of the directory; undefined where values are written. */
    const choicesOf = (field: string): readonly NamedValue[] | undefined => {
      const { type, options = [] } = conditionField(field) ?? {}
      if (type === 'id') return ids[field] ?? []
      return type === 'choice' ? options.map((value) => ({ value, label: t(choiceKey(field, value)) })) : undefined
    }
    const nameOf = (field: string, value: string): string => {
      const type = conditionField(field)?.type
      if (type === 'date' || type === 'instant') return date(value)
      return choicesOf(field)?.find((one) => one.value === value)?.label ?? (type === 'id' ? t('conditions:unknownValue') : value)
    }
    const valueText = ({ field, value }: Comparison): string => {
      if (Array.isArray(value)) {
        const names = value.map((one) => nameOf(field, one))
        return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(` ${t('conditions:or')} `)
      }
      if (typeof value === 'object') {
        if ('from' in value) return t('conditions:days', { from: date(value.from), to: date(value.to) })
        return t(`conditions:span.${value.scale}`, { count: value.number, amount: number(value.number) })
      }
      return nameOf(field, String(value ?? ''))
    }
    const fields = [...conditionFieldNames, ...(claims ?? []).filter(({ isDefault }) => !isDefault).map(({ id }) => `${CLAIM}${id}`)]
    return { fieldName, choicesOf, valueText, fields }
  }, [t, sites, siteGroups, connectors, claims, date, number])
}

export type ConditionNames = ReturnType<typeof useConditionNames>

const named = ({ id, name }: { id: string; name: string }): NamedValue => ({ value: id, label: name })

const claimName = (claims: readonly ClaimField[] | undefined, field: string): string | undefined =>
  claims?.find(({ id }) => field === `${CLAIM}${id}`)?.displayName

const choiceKey = (field: string, value: string): string => {
  if (field === 'status' || field === 'claimState') return `common:accountStatus.${value}`
  if (field === 'accessCodeDelivery') return `common:delivery.${value.replace('.', '_')}`
  return field === 'ingestionType' ? `conditions:ingestionType.${value}` : `conditions:referenceType.${value}`
}
