import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { Definition } from '../kit/definition.ts'
import { AUTHS, DELIVERIES, READINESS, SIGN_INS } from './delivery-settings.ts'

const FOLDERS = { delivery: ['folder', 'sftp'] }
const HTTPS = { delivery: ['https'] }
const SFTP = { delivery: ['sftp'] }

/** The `file` source; `openFileSource` takes what this schema describes. A connector without settings is given its files by upload. */
export const fileDefinition: Definition = {
  id: 'file',
  name: 'File',
  kind: 'source',
  description: 'People from a CSV or XLSX file: uploaded in the console, or fetched from a folder, over HTTPS or SFTP.',
  ingestionType: 'file',
  propertiesSchema: {
    type: 'object',
    additionalProperties: false,
    required: [],
    properties: {
      delivery: { type: 'string', title: 'How files come', enum: DELIVERIES, default: 'upload' },
      address: { type: 'string', format: 'uri', title: 'Address', shownWhen: [HTTPS], needed: true },
      auth: { type: 'string', title: 'Sign-in', enum: AUTHS, default: 'none', shownWhen: [HTTPS] },
      host: { type: 'string', title: 'Server', shownWhen: [SFTP], needed: true, leads: true },
      port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65_535, default: 22, shownWhen: [SFTP], leads: true },
      signIn: { type: 'string', title: 'Sign-in', enum: SIGN_INS, default: 'password', shownWhen: [SFTP] },
      headerName: { type: 'string', title: 'Header', shownWhen: [{ ...HTTPS, auth: ['header'] }], needed: true },
      username: { type: 'string', title: 'User name', shownWhen: [SFTP, { ...HTTPS, auth: ['basic'] }], needed: true },
      password: {
        type: 'string',
        title: 'Password',
        secret: true,
        shownWhen: [
          { ...SFTP, signIn: ['password'] },
          { ...HTTPS, auth: ['basic'] },
        ],
        needed: true,
      },
      accessToken: { type: 'string', title: 'Token', secret: true, shownWhen: [{ ...HTTPS, auth: ['bearer', 'header'] }], needed: true },
      privateKey: {
        type: 'string',
        title: 'Private key',
        secret: true,
        multiline: true,
        shownWhen: [{ ...SFTP, signIn: ['key'] }],
        needed: true,
      },
      passphrase: { type: 'string', title: 'Passphrase of the key', secret: true, shownWhen: [{ ...SFTP, signIn: ['key'] }] },
      folder: {
        type: 'string',
        title: 'Folder',
        description: 'On this machine: below the folder that the operator set aside for this tenant.',
        shownWhen: [FOLDERS],
      },
      pattern: { type: 'string', title: 'File name', description: 'May hold * and ?.', default: '*.csv', shownWhen: [FOLDERS] },
      ready: { type: 'string', title: 'A file is complete', enum: READINESS, default: 'stable', shownWhen: [FOLDERS] },
      archive: { type: 'boolean', title: 'Move files that were applied to the folder archive', default: true, shownWhen: [FOLDERS] },
      credentialsExpireOn: { type: 'string', format: 'date', title: 'Credentials expire on', shownWhen: [HTTPS, SFTP] },
    },
  },
  supportedFields: userFieldNames,
  // what the file does not say can be set on top of it, and people it does not know can be added beside it
  supportedOperations: ['read', 'create', 'update', 'deactivate'],
}
