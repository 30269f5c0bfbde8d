import styles from './conditions.module.css'
import type { SentencePart } from './describe-condition.ts'

/** A condition in words, its values marked. */
export function Sentence({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <bdi>
      {parts.map((part, index) =>
        part.isValue ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence have no other name
          <bdi key={index} className={styles.mark}>
            {part.text}
          </bdi>
        ) : (
          part.text
        ),
      )}
    </bdi>
  )
}
