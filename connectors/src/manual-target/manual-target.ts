import { hashDocument } from '../kit/hash-document.ts'
import { personDocument } from '../kit/person-document.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AccountDocument, Target } from '../kit/target.ts'
import type { ConfirmedAccount, TaskBoard, TaskKind } from './task-board.ts'

const kindOf = (confirmed: AccountDocument | undefined, wanted: AccountDocument): TaskKind => {
  if (!confirmed) return 'create'
  if (confirmed.active === wanted.active) return 'update'
  return wanted.active === false ? 'disable' : 'enable'
}

const waits = (): ConnectorError => new ConnectorError({ code: 'TARGET_WAITS', detail: 'waits for a person' })

/**
 * A target at which people do what has to be done. Every change becomes the account's open task, and TARGET_WAITS says that it is in somebody's hands;
 * what was ticked off is what the target holds. An account is known by the name somebody typed in, else by the person's own id.
 */
export const createManualTarget = (board: TaskBoard): Target => {
  const ask = async (userId: string, document: AccountDocument, confirmed: ConfirmedAccount | undefined): Promise<never> => {
    await board.ask({ userId, kind: kindOf(confirmed?.document, document), document, confirmed })
    throw waits()
  }
  const change = async (remoteId: string, wanted: (confirmed: AccountDocument) => AccountDocument) => {
    const confirmed = await board.confirmed({ remoteId })
    if (!confirmed) throw new ConnectorError({ code: 'TARGET_GONE', detail: 'nobody has confirmed such an account' })
    const document = wanted(confirmed.document)
    if (hashDocument(document) !== hashDocument(confirmed.document)) await ask(confirmed.userId, document, confirmed)
    return { remoteId, etag: null }
  }
  const confirmedOf = (document: AccountDocument) => board.confirmed({ userId: String(document.id ?? '') })

  return {
    documentOf: personDocument,
    check: async () => ({ detail: 'tasks for people' }),
    find: async (document) => {
      const confirmed = await confirmedOf(document)
      return confirmed && { remoteId: confirmed.remoteId, etag: null, document: confirmed.document }
    },
    create: async (document) => {
      if (await confirmedOf(document))
        throw new ConnectorError({ code: 'TARGET_EXISTS', detail: 'somebody has confirmed this account already' })
      return ask(String(document.id ?? ''), document, undefined)
    },
    update: (remoteId, document) => change(remoteId, () => document),
    deactivate: (remoteId) => change(remoteId, (confirmed) => ({ ...confirmed, active: false })),
    delete: async (remoteId) => {
      const confirmed = await board.confirmed({ remoteId })
      if (!confirmed) return
      await board.ask({ userId: confirmed.userId, kind: 'delete', document: null, confirmed })
      throw waits()
    },
    list: async () => {
      throw new ConnectorError({ code: 'TARGET_UNSUPPORTED', detail: 'people cannot be asked for a list' })
    },
    // whoever served the target has written everything down by now, so what needs nothing any more is known
    close: () => board.settle(),
  }
}
