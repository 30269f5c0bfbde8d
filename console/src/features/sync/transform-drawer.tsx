import { transformsOf } from '@instep/contract/mapped-field.ts'
import type { FieldMapping, Mapping } from '@instep/contract/sync.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { Button } from '@instep/ui/button.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Menu } from '@instep/ui/menu.tsx'
import { Popover } from '@instep/ui/popover.tsx'
import { Section } from '@instep/ui/section.tsx'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyPolicy } from './empty-policy.tsx'
import styles from './transform.module.css'
import { moved, newStep, type Sample, STEP_KINDS, type StepKind, textsBefore, withSteps } from './transform.rules.ts'
import { TransformSamples } from './transform-samples.tsx'
import { TransformStep } from './transform-step.tsx'

interface TransformDrawerProps {
  /** Whose transforms are shown; null: the drawer is closed. */
  field: UserFieldName | null
  mapping: Mapping
  sample: Sample
  onChange: (field: UserFieldName, from: FieldMapping) => void
  onClose: () => void
}

const NOTHING: FieldMapping = {}

/** What is done to a field on its way from the file: its steps, what an empty one says, and what that makes of the sample at once. */
export function TransformDrawer({ field, mapping, sample, onChange, onClose }: TransformDrawerProps) {
  const { t } = useTranslation(['transform', 'people', 'common'])
  // the drawer keeps what it shows while it slides out
  const [last, setLast] = useState(field)
  if (field && field !== last) setLast(field)
  const shown = field ?? last
  const from = (shown && mapping.fields[shown]) ?? NOTHING
  return (
    <Drawer
      opened={field !== null}
      onClose={onClose}
      title={t('title', { field: shown ? t(`people:fields.${shown}`) : '' })}
      footer={
        <Button variant="primary" size="form" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      {shown && (
        <div className={styles.parts}>
          <Steps from={from} sample={sample} onChange={(next) => onChange(shown, next)} />
          <EmptyPolicy field={shown} from={from} onChange={(next) => onChange(shown, next)} />
          <TransformSamples field={shown} from={from} sample={sample} />
        </div>
      )}
    </Drawer>
  )
}

interface StepsProps {
  from: FieldMapping
  sample: Sample
  onChange: (from: FieldMapping) => void
}

function Steps({ from, sample, onChange }: StepsProps) {
  const { t } = useTranslation('transform')
  const list = useRef<HTMLOListElement>(null)
  const adding = useRef<HTMLDivElement>(null)
  const steps = transformsOf(from)
  const change = (next: typeof steps) => onChange(withSteps(from, [...next]))
  const move = (place: number, to: number) => {
    change(moved(steps, place, to))
    // the buttons of the place that the step moves to are there already
    const buttons = [...(list.current?.children[to]?.querySelectorAll<HTMLElement>('[data-move]') ?? [])]
    const same = buttons.find((button) => button.dataset['move'] === (to < place ? 'up' : 'down'))
    const ends = to === 0 || to === steps.length - 1
    ;(ends ? buttons.find((button) => button !== same) : same)?.focus()
  }
  const remove = (place: number) => {
    change(steps.toSpliced(place, 1))
    adding.current?.querySelector('button')?.focus()
  }
  const add = (kind: StepKind) => change([...steps, newStep(kind, sample.columns)])
  return (
    <Section title={t('steps')} hint={t('stepsHint')}>
      {steps.length > 0 && (
        <ol ref={list} className={styles.steps}>
          {steps.map((step, place) => (
            <TransformStep
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the chain; what is in it comes from the mapping
              key={place}
              step={step}
              place={place}
              count={steps.length}
              columns={sample.columns}
              seen={() => textsBefore(from, place, sample)}
              onChange={(next) => change(steps.with(place, next))}
              onMove={(to) => move(place, to)}
              onRemove={() => remove(place)}
            />
          ))}
        </ol>
      )}
      <div ref={adding}>
        <Popover
          holds="menu"
          trigger={(props) => (
            <Button {...props} icon={IconPlus}>
              {t('add')}
            </Button>
          )}
        >
          {(close) => (
            <Menu
              label={t('add')}
              items={STEP_KINDS.map((key) => ({ key, label: t(`kinds.${key}`) }))}
              onPick={(kind) => {
                add(kind as StepKind)
                close()
              }}
            />
          )}
        </Popover>
      </div>
    </Section>
  )
}
