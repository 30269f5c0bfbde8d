import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './columns-menu.module.css'
import { type ColumnKey, DEFAULT_COLUMNS, offeredOrder, sameColumns, withColumn, withColumnMoved } from './people-columns.rules.ts'
import { useColumnHead } from './use-people-columns.tsx'

interface ColumnsMenuProps {
  columns: readonly ColumnKey[]
  onChange: (columns: readonly ColumnKey[]) => void
}

/** Which columns the list shows and in which order; the name is always there. */
export function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  const { t } = useTranslation('people')
  return (
    <Popover align="end" width="280px" trigger={(props) => <IconButton {...props} icon={IconColumns3} label={t('columns.choose')} />}>
      {() => <Choice columns={columns} onChange={onChange} />}
    </Popover>
  )
}

function Choice({ columns, onChange }: ColumnsMenuProps) {
  const { t } = useTranslation('people')
  const head = useColumnHead()
  // stays as it was on opening, so that nothing jumps away from under the pointer
  const [order, setOrder] = useState(() => offeredOrder(columns))
  const list = useRef<HTMLUListElement>(null)
  const pressed = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => list.current?.querySelector('input')?.focus(), [])
  // a row that changes places loses the focus that its button has
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  })
  const move = (key: ColumnKey, step: 1 | -1, button: HTMLElement) => {
    const next = withColumnMoved(order, columns, { key, step })
    if (next === order) return
    pressed.current = button
    setOrder(next)
    onChange(next.filter((one) => columns.includes(one)))
  }
  const mover = (key: ColumnKey, step: 1 | -1) => (
    <IconButton
      small
      icon={step < 0 ? IconArrowUp : IconArrowDown}
      label={t(step < 0 ? 'columns.earlier' : 'columns.later', { column: head(key) })}
      aria-disabled={columns.at(step < 0 ? 0 : -1) === key}
      onClick={(event) => move(key, step, event.currentTarget)}
    />
  )
  return (
    <fieldset className={styles.menu}>
      <legend className={styles.title}>{t('columns.choose')}</legend>
      <ul ref={list} className={styles.columns}>
        {order.map((key) => (
          <li key={key} className={styles.column}>
            <Checkbox
              label={head(key)}
              showLabel
              checked={columns.includes(key)}
              onChange={() => onChange(withColumn(order, columns, key))}
            />
            {columns.includes(key) && (
              <span className={styles.moves}>
                {mover(key, -1)}
                {mover(key, 1)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {!sameColumns(columns, DEFAULT_COLUMNS) && (
        <div className={styles.footer}>
          <Button
            variant="quiet"
            onClick={() => {
              setOrder(offeredOrder(DEFAULT_COLUMNS))
              onChange(DEFAULT_COLUMNS)
            }}
          >
            {t('columns.reset')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
