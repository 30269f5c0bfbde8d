import pg from 'pg'

/** How test processes reach the one database server of a run. */
export interface DatabaseServer {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: DatabaseServer
    /** A random name of this run, part of the name of each of its databases. */
    databaseRun: string
  }
}

/** Reads a connection URL the way pg does. */
export const serverAt = (url: string): DatabaseServer => {
  const { host, port, user, database, password } = new pg.Client({ connectionString: url })
  return { host, port, user: user ?? 'postgres', database: database ?? 'postgres', ...(password ? { password } : {}) }
}

/** The same as a URL, for tools that want one. A directory as host is a unix socket. */
export const urlOf = (server: DatabaseServer): string => {
  const secret = server.password ? `:${encodeURIComponent(server.password)}` : ''
  const isSocket = server.host.startsWith('/')
  const at = isSocket ? 'localhost' : server.host
  const query = isSocket ? `?host=${encodeURIComponent(server.host)}` : ''
  return `postgres://${encodeURIComponent(server.user)}${secret}@${at}:${server.port}/${server.database}${query}`
}
