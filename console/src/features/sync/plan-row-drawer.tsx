import { getGrace } from '@instep/contract/grace-period.ts'
import type { PlanRow, Run } from '@instep/contract/sync.ts'
import { Avatar } from '@instep/ui/avatar.tsx'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { Diff } from '@instep/ui/diff.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import styles from './sync.module.css'
import { useChanges } from './use-changes.ts'
import { useRunWords } from './use-run-words.ts'

/** One person's full before and after, and why. */
export function PlanRowDrawer({ row, run, onClose }: { row: PlanRow | null; run: Pick<Run, 'id' | 'connectorId'>; onClose: () => void }) {
  const { t } = useTranslation(['sync', 'common', 'explain'])
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      title={row?.displayName || t('plan.noName')}
      mark={row && <Avatar name={row.displayName} large />}
      aside={row && <bdi className="figures">{row.employeeId}</bdi>}
      footer={
        <>
          {row && (
            <AppLink
              href={paths.explain(run.connectorId, {
                runId: run.id,
                ...(row.rowNumber === null ? { userId: row.userId ?? undefined } : { row: String(row.rowNumber) }),
              })}
              className={buttonClass('secondary')}
            >
              {t('explain:link')}
            </AppLink>
          )}
          <Button onClick={onClose}>{t('common:close')}</Button>
        </>
      }
    >
      {row && <Content row={row} connectorId={run.connectorId} />}
    </Drawer>
  )
}

/** How long somebody is kept who would be deactivated. */
function Kept({ connectorId }: { connectorId: string }) {
  const { t } = useTranslation('sync')
  const { data } = useEndpoint(getGrace, { params: { connectorId } })
  return data ? <li>{t('plan.keptFor', { count: data.grace.days })}</li> : null
}

function Content({ row, connectorId }: { row: PlanRow; connectorId: string }) {
  const { t } = useTranslation('sync')
  const { reasons } = useRunWords()
  const changes = useChanges()(row)
  const sentences = reasons(row)
  return (
    <>
      <div className={styles.drawerPart}>
        <Section title={t('plan.columns.why')}>
          <ul className={styles.rowReasons}>
            <li>{t(`decided.${row.kind}`)}</li>
            {row.state === 'stale' && <li>{t('plan.stale')}</li>}
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {row.kind === 'deactivate' && row.after['active'] === false && <Kept connectorId={connectorId} />}
            {row.caseId && (
              <li>
                <AppLink href={paths.case(row.caseId)}>{t('plan.openCase')}</AppLink>
              </li>
            )}
            {row.rowNumber !== null && <li>{t('plan.fromRow', { row: row.rowNumber })}</li>}
          </ul>
        </Section>
      </div>
      {changes.length > 0 && (
        <Section title={t('plan.columns.what')} ruled>
          <Diff changes={changes} />
        </Section>
      )}
    </>
  )
}
