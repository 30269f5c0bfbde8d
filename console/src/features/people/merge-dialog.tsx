import type { UserConflict } from '@instep/contract/user-edits.ts'
import { formOf, type UserForm } from '@instep/contract/user-form.ts'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Diff } from '@instep/ui/diff.tsx'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { useChangeWords } from '../../shared/use-change-words.ts'
import { type Choice, type Choices, compareForms, isChangeOf, type MergedUnit, mergedForm, otherChanges } from './merge.rules.ts'
import styles from './person.module.css'
import { useEditor } from './use-person-editor.ts'
import type { Unit, UnitValue } from './user-form.units.ts'

interface MergeDialogProps {
  conflict: UserConflict
  onMerged: (form: UserForm) => void
  onClose: () => void
}

/** Somebody else has changed the person meanwhile: who changed what, and field by field whose value is kept. */
export function MergeDialog({ conflict, onMerged, onClose }: MergeDialogProps) {
  const { t } = useTranslation(['profile', 'common'])
  const { form, typed, words } = useEditor()
  const [choices, setChoices] = useState<Choices>({})
  const forms = { base: typed.opened, mine: form, theirs: formOf(conflict.user) }
  const { conflicts, taken } = compareForms(forms)
  const others = otherChanges(conflict.changes, forms)
  const choosing = conflicts.length + taken.length > 0
  const merged = mergedForm(forms, choices)
  const show = (unit: Unit, value: UnitValue) => words.valueText(unit, value)
  const choose = (unit: Unit, choice: Choice) => setChoices((was) => ({ ...was, [unit]: choice }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('merge.title')}
      footer={
        <FormButtons
          label={t(choosing ? 'merge.save' : 'merge.saveOnTop')}
          disabledReason={merged ? null : t('merge.undecided')}
          onCancel={onClose}
          onSubmit={() => merged && onMerged(merged)}
        />
      }
    >
      <div className={styles.merge}>
        <p>
          {t(conflicts.length > 0 ? 'merge.text' : choosing ? 'merge.textTaken' : 'merge.textOther', { name: conflict.user.displayName })}
        </p>
        {conflicts.map((one) => (
          <ConflictChoice
            key={one.unit}
            conflict={conflict}
            one={one}
            choice={choices[one.unit]}
            onChoose={(choice) => choose(one.unit, choice)}
          />
        ))}
        {taken.length > 0 && (
          <section aria-label={t('merge.taken')}>
            <h3>{t('merge.taken')}</h3>
            <Diff
              changes={taken.map(({ unit, base, theirs }) => ({
                key: unit,
                label: words.labelOf(unit, forms.theirs),
                before: show(unit, base),
                after: show(unit, theirs),
              }))}
            />
            <ChangedBy conflict={conflict} units={taken.map(({ unit }) => unit)} />
          </section>
        )}
        {others.length > 0 && <OtherChanges changes={others} headed={choosing} />}
      </div>
    </Dialog>
  )
}

/** What has changed beside the fields that are merged, and by whom. */
function OtherChanges({ changes, headed }: { changes: UserConflict['changes']; headed: boolean }) {
  const { t } = useTranslation('profile')
  const { instant } = useFormat()
  const { nameOf, written } = useChangeWords(changes.map(({ field }) => field))
  return (
    <section aria-label={t('merge.others')}>
      {headed && <h3>{t('merge.others')}</h3>}
      {changes.map(({ field, before, after, by, at }) => (
        <Fragment key={`${field} ${at}`}>
          <Diff changes={[{ key: field, label: nameOf(field), before: written(field, before), after: written(field, after) }]} />
          <p className={styles.mergeBase}>{t('merge.by', { by, at: instant(at) })}</p>
        </Fragment>
      ))}
    </section>
  )
}

interface ConflictChoiceProps {
  conflict: UserConflict
  one: MergedUnit
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

/** One field that both changed: what it was, what each made of it, and whose stays. */
function ConflictChoice({ conflict, one, choice, onChoose }: ConflictChoiceProps) {
  const { t } = useTranslation('profile')
  const { words, form } = useEditor()
  const { unit } = one
  const label = words.labelOf(unit, form)
  const shown = (value: UnitValue) => <bdi>{words.valueText(unit, value) ?? t('merge.nothing')}</bdi>
  const option = (of: Choice, word: string) => (
    <label className={styles.mergeOption}>
      <input type="radio" name={unit} checked={choice === of} onChange={() => onChoose(of)} />
      <span className={styles.mergeWord}>{word}</span>
      {shown(one[of])}
    </label>
  )
  return (
    <fieldset className={styles.conflict}>
      <legend>{label}</legend>
      <p className={styles.mergeBase}>
        {t('merge.was')} {shown(one.base)}
      </p>
      {option('mine', t('merge.mine'))}
      {option('theirs', t('merge.theirs'))}
      <ChangedBy conflict={conflict} units={[unit]} />
    </fieldset>
  )
}

/** Who changed these fields, and when, last. */
function ChangedBy({ conflict, units }: { conflict: UserConflict; units: readonly Unit[] }) {
  const { t } = useTranslation('profile')
  const { instant } = useFormat()
  const delivery = conflict.user.extension.accessCodeDelivery
  const last = conflict.changes.findLast((change) => units.some((unit) => isChangeOf(unit, change, delivery)))
  return last ? <p className={styles.mergeBase}>{t('merge.by', { by: last.by, at: instant(last.at) })}</p> : null
}
