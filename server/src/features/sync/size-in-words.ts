/** A number of bytes for a sentence: `1.5 GiB`. */
export const sizeInWords = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB'] as const
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}
