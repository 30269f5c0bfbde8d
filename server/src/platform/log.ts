/** The part of pino that features use; Fastify's logger is one. */
export interface Log {
  info(data: object | string, message?: string): void
  warn(data: object | string, message?: string): void
  error(data: object | string, message?: string): void
  child(bindings: object): Log
}

/** Says nothing; for tests and scripts. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {}, child: () => silentLog }
