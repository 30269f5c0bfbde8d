import { setTimeout as wait } from 'node:timers/promises'
import type { FetchingSource } from '../kit/fetching-source.ts'
import { deliveryOf, type FileSettings } from './delivery-settings.ts'
import { createFolderSource } from './folder-source.ts'
import { createHttpsSource } from './https-source.ts'
import { createSftpSource } from './sftp-source.ts'

export interface FileSourceOptions {
  /** Below which watched folders lie; undefined: none may be read. */
  readonly folderRoot: string | undefined
  /** Whether machines inside the operator's own network may be asked. */
  readonly allowPrivate: boolean
  /** The SFTP server's key as it was looked at. */
  readonly hostKey: string | undefined
  /** How long a file must stay as it is to count as complete. */
  readonly stableSeconds: number
  readonly now?: () => Date
}

const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
}

/** The way in which files come to a file connector; undefined where they are uploaded. Throws ConnectorError for settings that cannot be used. */
export const openFileSource = (settings: FileSettings, { folderRoot, ...options }: FileSourceOptions): FetchingSource | undefined => {
  switch (deliveryOf(settings)) {
    case 'folder':
      return createFolderSource(settings, { ...options, root: folderRoot, pause })
    case 'https':
      return createHttpsSource(settings, options)
    case 'sftp':
      return createSftpSource(settings, { ...options, pause })
    default:
      return undefined
  }
}
