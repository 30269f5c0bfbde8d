import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { Definition } from '../kit/definition.ts'
import { LDAP_BOUNDS as bounds, CHANGE_ATTRIBUTES, DIRECTORIES, SCOPES } from './ldap-settings.ts'

const number = (name: keyof typeof bounds) => ({
  type: 'integer' as const,
  minimum: bounds[name].min,
  maximum: bounds[name].max,
  default: bounds[name].fallback,
})

/** The `ldap` source; `createLdapSource` takes what this schema describes. The first value of each list is the default. */
export const ldapDefinition: Definition = {
  id: 'ldap',
  name: 'LDAP',
  kind: 'source',
  description: 'People from Active Directory, OpenLDAP or another directory.',
  ingestionType: 'ldap',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['server', 'baseDn'],
    properties: {
      server: {
        type: 'string',
        format: 'ldap-uri',
        title: 'Server',
        description: 'ldaps://directory.example.com, or ldap:// for StartTLS.',
        minLength: 1,
      },
      allowPlain: { type: 'boolean', title: 'Allow ldap:// without encryption', default: false },
      certificateAuthority: { type: 'string', title: 'Certificate of an own authority (PEM)' },
      bindDn: { type: 'string', title: 'Sign in as', description: 'A DN, or user@domain at Active Directory. Empty: anonymous.' },
      password: { type: 'string', title: 'Password', secret: true },
      credentialsExpireOn: { type: 'string', format: 'date', title: 'Credentials expire on' },
      directory: { type: 'string', title: 'Directory', enum: DIRECTORIES, default: 'activeDirectory' },
      baseDn: { type: 'string', title: 'Base DN', minLength: 1 },
      searchScope: { type: 'string', title: 'Depth', enum: SCOPES, default: 'sub' },
      filter: { type: 'string', title: 'Filter', description: 'RFC 4515; empty: people, as the directory marks them.' },
      attributes: { type: 'string', title: 'Attributes', description: 'Parted by commas; empty: the usual ones.' },
      managerAttribute: { type: 'string', title: 'Attribute of the manager', description: 'Read from the manager’s own entry.' },
      resultsPerPage: { ...number('resultsPerPage'), title: 'Entries a page' },
      changeAttribute: { type: 'string', title: 'Find changes by', enum: CHANGE_ATTRIBUTES, default: 'none' },
      overlapMinutes: { ...number('overlapMinutes'), title: 'Minutes asked for again' },
      fullEveryDays: {
        ...number('fullEveryDays'),
        title: 'Days between full fetches',
        description: 'Changes do not show who was deleted.',
      },
    },
  },
  supportedFields: userFieldNames,
  // what the source does not say can be set on top of it
  supportedOperations: ['read', 'create', 'update', 'deactivate'],
}
