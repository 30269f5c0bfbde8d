/** Park and Miller's generator, in [0, 1): a seed is one story. */
export const seededRandom = (seed: number): (() => number) => {
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
