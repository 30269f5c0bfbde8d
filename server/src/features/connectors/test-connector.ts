import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Target } from '@instep/connectors/kit/target.ts'
import { problem } from '../../platform/http/problem.ts'

/** A target that cannot be used as it is set, or does not answer, as the problem of a call; in the target's own words, without secrets. */
export const asTargetProblem = (error: unknown): unknown =>
  error instanceof ConnectorError ? problem('TARGET_UNREACHABLE', { params: { detail: error.detail }, detail: error.code }) : error

/** Asks a target whether it answers. Throws `TARGET_UNREACHABLE` with the target's own words, without secrets. */
export const testConnector = async (open: () => Promise<Target>, signal: AbortSignal): Promise<{ ok: true; detail: string }> => {
  let target: Target | undefined
  try {
    target = await open()
    const { detail } = await target.check({ signal })
    return { ok: true, detail }
  } catch (error) {
    throw asTargetProblem(error)
  } finally {
    await target?.close()
  }
}
