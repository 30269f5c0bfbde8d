import path from 'node:path'
import { openFileSource } from '@instep/connectors/file/file-source.ts'
import { createLdapSource } from '@instep/connectors/ldap/ldap-source.ts'
import { createManualTarget } from '@instep/connectors/manual-target/manual-target.ts'
import { createRestSource } from '@instep/connectors/rest/rest-source.ts'
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { createWebhookTarget } from '@instep/connectors/webhook/webhook-target.ts'
import { createWorkplaceTarget } from '@instep/connectors/workplace/workplace-target.ts'
import type { Config } from './config.ts'
import { type OpenSource, openSource, type TargetFactory } from './features/connectors/public.ts'
import { taskBoard, webhookJournal } from './features/provisioning/public.ts'
import { scimInSource } from './features/scim-in/public.ts'
import type { Clock } from './platform/clock.ts'
import type { Secrets } from './platform/crypto/secrets.ts'
import type { Db } from './platform/db/database.ts'

interface OutsideDeps {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

/** Every kind of source that is fetched, by its definition. */
export const sourcesOf = ({ config, db, clock, secrets }: OutsideDeps): OpenSource => {
  const { SOURCE_FOLDER_ROOT: root, SOURCES_ALLOW_PRIVATE: allowPrivate, SOURCE_STABLE_SECONDS: stableSeconds } = config
  const now = () => clock.now()
  const file = { allowPrivate, stableSeconds, now }
  return openSource({
    db,
    secrets,
    factories: {
      file: (settings, { tenantId, hostKey }) =>
        openFileSource(settings, { ...file, hostKey, folderRoot: root && path.join(root, tenantId) }),
      'scim-in': (_, place) => scimInSource(db, place),
      rest: (settings) => createRestSource(settings, { allowPrivate, now }),
      ldap: (settings) => createLdapSource(settings, { allowPrivate }),
    },
  })
}

/** Every kind of target, by its definition. */
export const targetsOf = ({ config, db, clock }: OutsideDeps): Readonly<Record<string, TargetFactory>> => {
  const connections = config.PROVISIONING_CONCURRENCY
  const sending = { connections, allowPrivate: config.SOURCES_ALLOW_PRIVATE, now: () => clock.now() }
  return {
    scim: ({ properties, secrets }, { rules }) => createScimTarget(properties, secrets, { ...sending, rules }),
    workplace: ({ properties, secrets }, { rules }) => createWorkplaceTarget(properties, secrets, { ...sending, rules }),
    webhook: ({ properties, secrets }, key) => createWebhookTarget(properties, secrets, { ...sending, journal: webhookJournal(db, key) }),
    'manual-target': (_, key) => createManualTarget(taskBoard(db, clock, key)),
  }
}
