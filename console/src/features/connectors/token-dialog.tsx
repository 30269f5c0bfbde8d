import { createScimToken, listScimTokens, type NewScimToken, rotateScimToken, type ScimToken } from '@instep/contract/scim-in.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { CopyButton } from '@instep/ui/copy-button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import styles from './scim.module.css'

/** A token that is about to be made, in place of another or beside the others. */
export interface TokenMaking {
  replaces: ScimToken | null
}

interface TokenDialogProps {
  connectorId: string
  /** Null closes the dialog. */
  making: TokenMaking | null
  onClose: () => void
}

const DAY_MS = 86_400_000
/** Days until the token ends; none: it does not. */
const ENDS = ['none', '90', '180', '365'] as const
/** Hours that the old token goes on. */
const OVERLAPS = ['0', '1', '24', '168', '720'] as const

/** Makes a token and tells it, once. */
export function TokenDialog({ connectorId, making, onClose }: TokenDialogProps) {
  const { t } = useTranslation(['scim', 'common'])
  const [made, setMade] = useState<NewScimToken | null>(null)
  const [opened, setOpened] = useState(making)
  if (making && making !== opened) {
    setOpened(making)
    setMade(null)
  }
  const replaces = opened?.replaces ?? null
  const close = () => {
    onClose()
    // it is told once, and kept nowhere
    setMade(null)
  }
  const title = made ? t('ready') : replaces ? t('rotateOf', { label: replaces.label }) : t('create')
  return (
    <Dialog
      opened={making !== null}
      // whoever clicks beside must not lose what is told once
      onClose={made ? undefined : close}
      title={title}
      footer={
        made && (
          <Button size="form" variant="primary" onClick={close}>
            {t('kept')}
          </Button>
        )
      }
    >
      {made ? <Secret made={made} /> : <TokenForm connectorId={connectorId} replaces={replaces} onMade={setMade} onClose={close} />}
    </Dialog>
  )
}

function Secret({ made }: { made: NewScimToken }) {
  const { t } = useTranslation('scim')
  return (
    <div className={styles.form}>
      <Banner tone="warn" boxed>
        {t('once')}
      </Banner>
      <div className={styles.address}>
        <bdi className={`mono ${styles.url}`}>{made.secret}</bdi>
        <CopyButton text={made.secret} />
      </div>
    </div>
  )
}

interface TokenFormProps {
  connectorId: string
  replaces: ScimToken | null
  onMade: (made: NewScimToken) => void
  onClose: () => void
}

function TokenForm({ connectorId, replaces, onMade, onClose }: TokenFormProps) {
  const { t } = useTranslation(['scim', 'common'])
  const cache = useQueryClient()
  const problemText = useProblemText()
  const [label, setLabel] = useState('')
  const [ends, setEnds] = useState('none')
  const [overlap, setOverlap] = useState('24')
  const [asked, setAsked] = useState(false)
  const onSuccess = (made: NewScimToken) => {
    cache.invalidateQueries({ queryKey: endpointKey(listScimTokens) })
    onMade(made)
  }
  const create = useAction(createScimToken, { onSuccess })
  const rotate = useAction(rotateScimToken, { onSuccess })
  const error = create.error ?? rotate.error
  const submit = () => {
    setAsked(true)
    const expiresAt = ends === 'none' ? null : new Date(Date.now() + Number(ends) * DAY_MS).toISOString()
    if (replaces) rotate.mutate({ params: { connectorId, tokenId: replaces.id }, body: { overlapHours: Number(overlap), expiresAt } })
    else if (label.trim() !== '') create.mutate({ params: { connectorId }, body: { label, expiresAt } })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {replaces ? (
        <SelectField
          label={t('overlap')}
          hint={t('overlapHint')}
          value={overlap}
          options={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
          onChange={setOverlap}
        />
      ) : (
        <TextField
          label={t('label')}
          hint={t('labelHint')}
          required
          longest={100}
          value={label}
          error={asked && label.trim() === '' ? t('common:enterValue', { value: t('label').toLocaleLowerCase() }) : undefined}
          onChange={setLabel}
          data-autofocus
        />
      )}
      <SelectField
        label={t('end')}
        value={ends}
        options={ENDS.map((value) => ({ value, label: t(`endsIn.${value}`) }))}
        onChange={setEnds}
      />
      {error && (
        <Banner tone="danger" boxed alert>
          {problemText(error)}
        </Banner>
      )}
      <div className={styles.actions}>
        <Button size="form" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button size="form" variant="primary" type="submit" busy={create.isPending || rotate.isPending}>
          {replaces ? t('rotate') : t('create')}
        </Button>
      </div>
    </form>
  )
}
