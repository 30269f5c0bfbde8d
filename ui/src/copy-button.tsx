import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { useUiWords } from './ui-words.tsx'

interface CopyButtonProps {
  text: string
}

/** Copies a text to the clipboard and says so for two seconds. */
export function CopyButton({ text }: CopyButtonProps) {
  const words = useUiWords()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = window.setTimeout(() => setCopied(false), 2000)
    return () => window.clearTimeout(timer)
  }, [copied])
  return (
    <>
      <IconButton
        small
        icon={copied ? IconCheck : IconCopy}
        label={copied ? words.copied : words.copy}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      />
      <span className="visually-hidden" aria-live="polite">
        {copied ? words.copied : ''}
      </span>
    </>
  )
}
