import { useState } from 'react'

/** What the server found fault with at the last save, by field; each holds until the field's value changes. */
export const useRefusedFields = <Values extends object>(values: Values) => {
  const [refused, setRefused] = useState<{ texts: Readonly<Record<string, string | undefined>>; at: Values } | null>(null)
  return {
    refuse: (texts: Readonly<Record<string, string | undefined>>): void => setRefused({ texts, at: values }),
    refusalAt: (field: keyof Values & string): string | undefined =>
      refused && Object.is(refused.at[field], values[field]) ? refused.texts[field] : undefined,
  }
}
