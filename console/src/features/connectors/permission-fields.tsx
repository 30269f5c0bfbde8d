import { PERMISSIONS, type Permission } from '@instep/contract/roles.ts'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { useTranslation } from 'react-i18next'
import styles from './connectors.module.css'

/** The bits that mean something for a source of people. */
const OFFERED = ['importUsers', 'exportUsers', 'editUsers'] as const satisfies readonly Permission[]

/** What administrators who may may do with the people of a source. Bits that are not offered stay as they are. */
export function PermissionFields({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation('connectors')
  return (
    <fieldset className={styles.permissions}>
      <legend>{t('permissions.title')}</legend>
      <p className={styles.muted}>{t('permissions.hint')}</p>
      {OFFERED.map((bit) => (
        <Checkbox
          key={bit}
          showLabel
          label={t(`permissions.${bit}`)}
          checked={(value & PERMISSIONS[bit]) !== 0}
          onChange={(checked) => onChange(checked ? value | PERMISSIONS[bit] : value & ~PERMISSIONS[bit])}
        />
      ))}
    </fieldset>
  )
}
