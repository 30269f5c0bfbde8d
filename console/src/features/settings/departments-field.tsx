import { writtenName } from '@instep/contract/folded-name.ts'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { LookupField } from './lookup-field.tsx'
import styles from './settings.module.css'

interface DepartmentsFieldProps {
  departments: readonly string[]
  onChange: (departments: readonly string[]) => void
}

/** The departments in which a job title is used; none means any. */
export function DepartmentsField({ departments, onChange }: DepartmentsFieldProps) {
  const { t } = useTranslation('settings')
  const [typed, setTyped] = useState('')
  const add = (department: string) => {
    setTyped('')
    if (!departments.some((one) => writtenName(one) === writtenName(department))) onChange([...departments, department])
  }
  return (
    <div className={styles.departments}>
      <LookupField
        kind="Department"
        label={t('lookups.columns.departments')}
        hint={t('lookups.departmentsHint')}
        value={typed}
        onChange={setTyped}
        onPick={add}
      />
      {departments.length === 0 ? (
        <p className={styles.second}>{t('lookups.anyDepartment')}</p>
      ) : (
        <ul className={styles.chips} aria-label={t('lookups.columns.departments')}>
          {departments.map((department) => (
            <li key={department} className={styles.chip}>
              <bdi>{department}</bdi>
              <IconButton
                small
                icon={IconX}
                label={t('lookups.removeDepartment', { department })}
                onClick={() => onChange(departments.filter((one) => one !== department))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
