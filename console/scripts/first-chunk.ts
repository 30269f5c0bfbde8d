import type { Plugin } from 'vite'

/** Where the first load begins: the console itself, and the page that most people come for. */
const BEGINNINGS = [/console\/src\/main\.tsx$/, /features\/people\/people-page\.tsx$/]

/** Code of a page and words of a language stay files of their own. */
const OWN_FILE = /\/(features|locales)\//

/**
 * Puts what the first load needs into one file rather than into one for each part that some page shares: the same letters compress better
 * together, and every page opened later finds them there. Give `group` to `codeSplitting.groups`.
 */
export const firstChunk = () => {
  const needed = new Set<string>()
  const plugin: Plugin = {
    name: 'first-chunk',
    apply: 'build',
    buildEnd() {
      const visit = (id: string): void => {
        if (needed.has(id)) return
        needed.add(id)
        this.getModuleInfo(id)?.importedIds.forEach(visit)
      }
      const ids = [...this.getModuleIds()]
      for (const beginning of BEGINNINGS) {
        const first = ids.find((id) => beginning.test(id))
        if (first === undefined) this.error(`the first load begins nowhere: there is no ${beginning.source}`)
        visit(first)
      }
    },
  }
  const group = { name: 'shell', test: (id: string) => needed.has(id) && !OWN_FILE.test(id), includeDependenciesRecursively: false }
  return { plugin, group }
}
