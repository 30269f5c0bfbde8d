/**
 * The circles of a graph in which everybody has at most one manager, each once, as `[a, b, …]` where a reports to b and so on and the last to a;
 * each begins with its lowest id, and the circles stand in that order. Linear in the number of people. Pure.
 */
export const findCycles = (managerOf: ReadonlyMap<string, string>): string[][] => {
  const seen = new Set<string>()
  const cycles: string[][] = []
  for (const start of managerOf.keys()) {
    const path: string[] = []
    const places = new Map<string, number>()
    let at: string | undefined = start
    while (at !== undefined && !seen.has(at)) {
      seen.add(at)
      places.set(at, path.length)
      path.push(at)
      at = managerOf.get(at)
    }
    const place = at === undefined ? undefined : places.get(at)
    if (place !== undefined) cycles.push(fromLowest(path.slice(place)))
  }
  return cycles.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

const fromLowest = (cycle: readonly string[]): string[] => {
  const lowest = cycle.reduce((best, id, place) => (id < (cycle[best] ?? id) ? place : best), 0)
  return [...cycle.slice(lowest), ...cycle.slice(0, lowest)]
}
