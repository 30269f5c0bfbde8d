/** Whether a file name fits a pattern in which `*` stands for any characters and `?` for one; capitals count. Linear but for the stars. */
export const fitsPattern = (name: string, pattern: string): boolean => {
  let at = 0
  let from = 0
  let star = -1
  let held = 0
  while (at < name.length) {
    if (from < pattern.length && pattern[from] === '*') {
      star = from
      from += 1
      held = at
    } else if (from < pattern.length && (pattern[from] === '?' || pattern[from] === name[at])) {
      from += 1
      at += 1
    } else if (star >= 0) {
      from = star + 1
      held += 1
      at = held
    } else return false
  }
  while (pattern[from] === '*') from += 1
  return from === pattern.length
}
