import type { Deliveries, DeliveryJournal } from '../delivery-journal.ts'

/** A journal that lasts as long as the process: for tests of what stands above it. */
export const memoryJournal = (): DeliveryJournal & { readonly rows: Map<string, Deliveries> } => {
  const rows = new Map<string, Deliveries>()
  return {
    rows,
    read: async (userId) => rows.get(userId),
    begin: async (userId, message, after) => {
      const row = rows.get(userId)
      if ((row?.sequence ?? 0) !== after) return false
      const { acknowledged = 0, document = null } = row ?? {}
      rows.set(userId, { sequence: message.sequence, acknowledged, document, underWay: message })
      return true
    },
    acknowledge: async (userId, { sequence, document }) => {
      const row = rows.get(userId)
      if (row?.sequence === sequence) rows.set(userId, { sequence, acknowledged: sequence, document, underWay: null })
    },
  }
}
