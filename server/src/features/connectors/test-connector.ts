import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Target } from '@instep/connectors/kit/target.ts'
import { problem } from '../../platform/http/problem.ts'

/** Asks a target whether it answers. Throws `TARGET_UNREACHABLE` with the target's own words, without secrets. */
export const testConnector = async (open: () => Promise<Target>, signal: AbortSignal): Promise<{ ok: true; detail: string }> => {
  let target: Target | undefined
  try {
    target = await open()
    const { detail } = await target.check({ signal })
    return { ok: true, detail }
  } catch (error) {
    if (error instanceof ConnectorError) throw problem('TARGET_UNREACHABLE', { params: { detail: error.detail }, detail: error.code })
    throw error
  } finally {
    await target?.close()
  }
}
