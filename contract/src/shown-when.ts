/** Which settings of a connector count, given the others: one rule for the form that asks for them and the server that stores them. */

/** Setting → the values that it may have; all must hold. */
export type ShownWhen = Readonly<Record<string, readonly string[]>>

interface Conditional {
  readonly default?: unknown
  readonly shownWhen?: readonly ShownWhen[]
}

/** Whether a setting is asked for: always, or where one of its conditions holds. What is not set has its default. */
export const isShown = (
  property: Conditional,
  { properties, values }: { properties: Readonly<Record<string, Conditional>>; values: Readonly<Record<string, unknown>> },
): boolean =>
  !property.shownWhen ||
  property.shownWhen.some((condition) =>
    Object.entries(condition).every(([name, allowed]) => allowed.includes(String(values[name] ?? properties[name]?.default ?? ''))),
  )
