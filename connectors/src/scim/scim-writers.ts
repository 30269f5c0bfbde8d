import type { DialectSettings } from '@instep/contract/scim-dialects.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AccountDocument, AppliedAccount, Call, RemoteAccount, UpdateCall } from '../kit/target.ts'
import { type PatchOperation, patchOperations } from './patch-operations.ts'
import { type Answer, type Asked, unproven } from './scim-answers.ts'
import type { ScimClient } from './scim-client.ts'
import { etagOf, idOf, type Resource } from './scim-resources.ts'

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The body of a PATCH (RFC 7644 section 3.5.2), with the names of operations as the target wants them. */
export const patchBody = (operations: readonly PatchOperation[], names: DialectSettings['operationNames'] = 'lower') => ({
  schemas: [PATCH_SCHEMA],
  Operations: operations.map((operation) => ({ ...operation, op: names === 'capital' ? capital(operation.op) : operation.op })),
})

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** Checks that a write was answered for this very account; 204 has nothing to check. */
const confirm = (remoteId: string, answer: Answer, method: 'PATCH' | 'PUT'): AppliedAccount => {
  const asked: Asked = { method, path: '/Users/{id}', account: true }
  if (answer.status !== 204) {
    if (!answer.body) throw unproven(asked, 'notJson', 'an empty answer')
    if (idOf(answer.body) !== remoteId) throw unproven(asked, 'wrongId', 'an answer about another account')
  }
  return { remoteId, etag: etagOf(answer) }
}

interface Known {
  readonly before: AccountDocument
  readonly etag: string | null
}

interface Errand {
  readonly remoteId: string
  readonly call: Call
  readonly etag: string | null
}

/** Switching somebody off must win, whoever else changes the account. */
const unlessOff = (document: AccountDocument, call: UpdateCall): UpdateCall => (document.active === false ? { ...call, etag: null } : call)

const isOutdated = (error: unknown): boolean => error instanceof ConnectorError && error.params.status === 412

/** Changes of an account that is there already. `managed` takes what is ours from what the target returned. */
export const createWriters = (client: ScimClient, settings: DialectSettings, managed: (resource: Resource) => AccountDocument) => {
  const read = async (remoteId: string, call: Call): Promise<RemoteAccount> => {
    const answer = await client.request({ method: 'GET', remoteId, signal: call.signal })
    const asked: Asked = { method: 'GET', path: '/Users/{id}', account: true }
    if (!answer.body || idOf(answer.body) !== remoteId) throw unproven(asked, 'wrongId', 'an answer about another account')
    return { remoteId, etag: etagOf(answer), document: managed(answer.body) }
  }
  const write = async (method: 'PATCH' | 'PUT', { remoteId, call, etag }: Errand, body: object): Promise<AppliedAccount> => {
    const ifMatch = settings.ifMatch === 'always' && etag !== null ? etag : undefined
    return confirm(remoteId, await client.request({ method, remoteId, body, ifMatch, signal: call.signal }), method)
  }
  const patch = (errand: Errand, operations: readonly PatchOperation[]) =>
    write('PATCH', errand, patchBody(operations, settings.operationNames))
  const put = (errand: Errand, document: AccountDocument) => write('PUT', errand, { ...document, id: errand.remoteId })

  /** Activity with PATCH, everything else with PUT. */
  const putAndSwitch = async (errand: Errand, document: AccountDocument, before: AccountDocument) => {
    const rest = patchOperations({ ...before, active: document.active }, document).length > 0
    const done = rest ? await put(errand, document) : undefined
    if (before.active === document.active) return done ?? { remoteId: errand.remoteId, etag: null }
    return patch({ ...errand, etag: done ? null : errand.etag }, [{ op: 'replace', path: 'active', value: document.active === true }])
  }
  const change = async (errand: Errand, document: AccountDocument, before: AccountDocument): Promise<AppliedAccount> => {
    const operations = patchOperations(before, document, settings.listUpdates)
    if (operations.length === 0) return { remoteId: errand.remoteId, etag: null }
    if (settings.updateMethod === 'PATCH') return patch(errand, operations)
    return settings.switching === 'patch' ? putAndSwitch(errand, document, before) : put(errand, document)
  }
  /** Does it for the version that is known; where that is another by now, reads again and does it once more. */
  const withVersion = async (
    remoteId: string,
    call: UpdateCall,
    act: (errand: Errand, known: Known | undefined) => Promise<AppliedAccount>,
  ) => {
    const known = call.before && { before: call.before, etag: call.etag ?? null }
    try {
      return await act({ remoteId, call, etag: known?.etag ?? null }, known)
    } catch (error) {
      if (!isOutdated(error)) throw error
    }
    const found = await read(remoteId, call)
    try {
      return await act({ remoteId, call, etag: found.etag }, { before: found.document, etag: found.etag })
    } catch (error) {
      if (!isOutdated(error)) throw error
      throw new ConnectorError({
        code: 'TARGET_UNAVAILABLE',
        params: { status: 412 },
        retryable: true,
        detail: 'the account is being changed by others',
      })
    }
  }

  const update = (remoteId: string, document: AccountDocument, call: UpdateCall = {}): Promise<AppliedAccount> =>
    withVersion(remoteId, unlessOff(document, call), async (errand, known) => {
      if (known) return change(errand, document, known.before)
      // with PUT as well: what others have changed meanwhile is overwritten only in the version that was seen
      const found = await read(remoteId, call)
      return change({ ...errand, etag: document.active === false ? null : found.etag }, document, found.document)
    })
  const deactivate = (remoteId: string, call: UpdateCall = {}): Promise<AppliedAccount> =>
    withVersion(remoteId, { ...call, etag: null }, async (errand, known) => {
      if (settings.updateMethod === 'PATCH' || settings.switching === 'patch')
        return patch(errand, [{ op: 'replace', path: 'active', value: false }])
      return put(errand, { ...(known?.before ?? (await read(remoteId, call)).document), active: false })
    })
  return { update, deactivate }
}
