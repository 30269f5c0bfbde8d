import { openConformance } from '@instep/connectors/scim/check-conformance.ts'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { targetsOf } from './outside-systems.ts'
import { systemClock } from './platform/clock.ts'
import type { Secrets } from './platform/crypto/secrets.ts'
import type { Db } from './platform/db/database.ts'

const SETTINGS = {
  properties: { baseUrl: 'https://10.0.0.5', endpoint: 'https://10.0.0.5' },
  secrets: { token: 'secret', secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
}
const PLACE = { tenantId: 't', targetId: 'i', rules: [] }
const factoriesWith = (allowPrivate: 'on' | 'off') =>
  // making a target asks neither database nor key
  targetsOf({ config: readConfig({ SOURCES_ALLOW_PRIVATE: allowPrivate }), db: {} as Db, secrets: {} as Secrets, clock: systemClock })

it.each(['scim', 'workplace', 'webhook'])(
  'a %s target inside this network is refused unless the installation allows it',
  async (definition) => {
    expect(() => factoriesWith('off')[definition]?.(SETTINGS, PLACE)).toThrow(expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED' }))
    await factoriesWith('on')[definition]?.(SETTINGS, PLACE).close()
  },
)

it('so is a try of one', () => {
  expect(() => openConformance(SETTINGS.properties, SETTINGS.secrets, { allowPrivate: false })).toThrow(
    expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED' }),
  )
})
