/**
 * Stands in for zod in the browser's bundle. The contract's declarations are code that both sides load, but the console reads only their
 * methods and addresses: the server checks every value and the types hold the rest. This spares the first load 24 kB. Whatever a schema is
 * asked while it is built answers a schema again; checking a value with one is a mistake and says so.
 */
const CHECKS = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'options', 'shape'])

const schema: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (typeof name === 'string' && CHECKS.has(name)) throw new Error(`the browser has no schemas: ${name}`)
    return name === Symbol.toPrimitive ? () => 'schema' : schema
  },
  apply: () => schema,
})

export const z = schema
