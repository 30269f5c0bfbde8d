import type { UserRow } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/use-format.ts'
import styles from './user-table.module.css'

const PAGE = 10
const NOTHING = '–'

type Shown = Pick<UserRow, 'id' | 'displayName' | 'employeeId' | 'title' | 'department' | 'locationName'>

interface UserTableProps {
  /** The table's name for screen readers. */
  label: string
  people: readonly Shown[]
}

/** A few people at a glance, ten at a time: name with employee id, job title with department, location. */
export function UserTable({ label, people }: UserTableProps) {
  const { t } = useTranslation(['people', 'common'])
  const { number } = useFormat()
  const [shown, setShown] = useState(PAGE)
  const rows = people.slice(0, shown)
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.scroll} aria-label={label} tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t('people:columns.name')}</th>
              <th scope="col">{t('people:columns.title')}</th>
              <th scope="col">{t('people:fields.locationName')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((person) => (
              <tr key={person.id}>
                <th scope="row">
                  <bdi className={styles.name}>{person.displayName}</bdi>
                  <bdi className={`${styles.second} figures`}>{person.employeeId}</bdi>
                </th>
                <td>
                  <bdi className={styles.first}>{person.title ?? NOTHING}</bdi>
                  <bdi className={styles.second}>{person.department}</bdi>
                </td>
                <td>
                  <bdi>{person.locationName ?? NOTHING}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {people.length > PAGE && (
        <div className={styles.footer}>
          <span aria-live="polite">{t('people:shown', { shown: number(rows.length), amount: number(people.length) })}</span>
          {shown < people.length && (
            <Button variant="quiet" onClick={() => setShown(shown + PAGE)}>
              {t('common:showMore')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
