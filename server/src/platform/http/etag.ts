/** The versions that an `If-Match` header admits (RFC 9110 section 13.1.1): `any` for `*` and for no header. */
export interface IfMatch {
  readonly given: boolean
  readonly versions: 'any' | readonly number[]
}

/** A tag that a proxy has weakened names the same version. */
const TAG = /^(?:W\/)?"(\d{1,15})"$/

/** Reads the header; what is no tag of ours names no version. */
export const readIfMatch = (header: string | undefined): IfMatch => {
  if (header === undefined) return { given: false, versions: 'any' }
  if (header.trim() === '*') return { given: true, versions: 'any' }
  const versions = header.split(',').flatMap((tag) => {
    const digits = TAG.exec(tag.trim())?.[1]
    return digits === undefined ? [] : [Number(digits)]
  })
  return { given: true, versions }
}

/** Whether the header lets a change of this version through. */
export const admits = ({ versions }: IfMatch, version: number): boolean => versions === 'any' || versions.includes(version)

/** The tag of a version. */
export const etagOf = (version: number): string => `"${version}"`
