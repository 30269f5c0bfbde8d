import { totalmem } from 'node:os'

const common: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Containers often have 64 MB of shared memory, which parallel queries overrun; files in the data directory hold as much as it takes.
  dynamic_shared_memory_type: 'mmap',
  max_parallel_workers_per_gather: '2',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Errors of statements are the server's to report, and would put personal data into the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

const MEGABYTE = 1024 * 1024
/** What there is for this process, in bytes: the machine's, or less where a container's limit says so. */
const memory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * A quarter of the memory (PostgreSQL, "Resource Consumption"), at least PostgreSQL's own standard and at most four gigabytes; only what is used is
 * taken. A table that is larger than a quarter of it is never kept: the people of a million would be read from files at every question.
 */
const sharedBuffers = (): string => `${Math.round(Math.min(Math.max(memory() / 4 / MEGABYTE, 128), 4096))}MB`

const durable: Record<string, string> = { max_wal_size: '256MB', shared_buffers: sharedBuffers() }

/** For tests: nothing survives a power cut, nothing runs in the background. */
const fast: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
}

/** The command line of the embedded server, without the program. */
export const serverFlags = (o: { dataDir: string; socketDir: string; fast: boolean }): string[] => {
  const settings = { ...common, ...(o.fast ? fast : durable), unix_socket_directories: o.socketDir }
  return ['-D', o.dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
