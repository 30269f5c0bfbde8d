import { describeFile, type FileDescription } from '@instep/connectors/file/describe-file.ts'
import { openFile, type TabularFile } from '@instep/connectors/file/open-file.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { PROBLEMS, type ProblemCode } from '@instep/contract/problem.ts'
import type { DELIMITERS, ENCODINGS } from '@instep/contract/sync.ts'
import { problem } from '../../platform/http/problem.ts'
import { uploadPath } from './uploads.ts'

/** A stored upload, and how it is to be read where that was chosen. */
export interface Upload {
  readonly dataDir: string
  readonly id: string
  readonly name: string
  readonly encoding?: (typeof ENCODINGS)[number] | undefined
  readonly delimiter?: (typeof DELIMITERS)[number] | undefined
}

const isProblemCode = (code: string): code is ProblemCode => code in PROBLEMS

/** What makes a file unreadable, as a problem of the same code. */
export const asProblem = (error: unknown): unknown => {
  if (error instanceof ConnectorError && isProblemCode(error.code))
    return problem(error.code, { params: { ...error.params }, detail: error.detail })
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return problem('FILE_GONE')
  return error
}

const inputOf = ({ dataDir, id, name, encoding, delimiter }: Upload) => ({ path: uploadPath(dataDir, id), name, encoding, delimiter })

/** Opens an upload up to its header. Throws the problems of a file that cannot be read, and FILE_GONE. */
export const openUpload = (upload: Upload): Promise<TabularFile> =>
  openFile(inputOf(upload)).catch((error: unknown) => {
    throw asProblem(error)
  })

/** Describes an upload by its first rows. Throws as `openUpload` does. */
export const describeUpload = (upload: Upload): Promise<FileDescription> =>
  describeFile(inputOf(upload)).catch((error: unknown) => {
    throw asProblem(error)
  })
