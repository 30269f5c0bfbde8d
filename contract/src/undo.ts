/** Taking back what a run did: the inverse plan, looked at and decided on like any other. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { Run } from './sync.ts'

export const undoRun = endpoint({
  id: 'sync.undoRun',
  method: 'POST',
  path: '/connectors/{tenantId}/runs/{runId}/undo',
  summary:
    'Plans how what a run did is taken back, field by field, as far as nothing else has happened to it. Nothing changes until that plan is applied.',
  who: { roles: TENANT_ADMINS, bit: 'importUsers' },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  response: Run,
  status: 202,
  problems: ['RUN_NOT_UNDOABLE', 'RUN_ACTIVE'],
})
