import { describe, expect, test, vi } from 'vitest'
import { createAddressBar, type Hold } from './address-bar.ts'

/** A window whose history works as a browser's: what `go` does is told afterwards. */
const fakeWindow = (start: string) => {
  const steps: { href: string; state: unknown }[] = [{ href: start, state: null }]
  let at = 0
  const listeners: ((event: PopStateEvent) => void)[] = []
  const url = () => new URL(steps[at]?.href ?? '/', 'https://console.test')
  const told: Promise<void>[] = []
  const go = (by: number) => {
    told.push(
      Promise.resolve().then(() => {
        if (!steps[at + by]) return
        at += by
        for (const tell of listeners) tell({ state: steps[at]?.state } as PopStateEvent)
      }),
    )
  }
  const browser = {
    location: {
      get pathname() {
        return url().pathname
      },
      get search() {
        return url().search
      },
      get hash() {
        return url().hash
      },
    },
    history: {
      get state() {
        return steps[at]?.state
      },
      pushState: (state: unknown, _title: string, href: string) => {
        steps.splice(at + 1, steps.length, { href, state })
        at++
      },
      replaceState: (state: unknown, _title: string, href?: string) => {
        steps[at] = { href: href ?? steps[at]?.href ?? '/', state }
      },
      go,
    },
    addEventListener: (_name: string, listener: (event: PopStateEvent) => void) => listeners.push(listener),
  }
  const settle = async () => {
    for (let done = 0; done < told.length; done++) await told[done]
  }
  const bar = createAddressBar(browser as unknown as Window)
  return { bar, steps: () => steps.map(({ href }) => href), shown: () => steps[at]?.href, go, settle }
}

/** Holds everything, and keeps how to leave after all. */
const holding = () => {
  const asked: (() => void)[] = []
  const hold: Hold = (proceed) => {
    asked.push(proceed)
    return true
  }
  return { hold, asked }
}

describe('a place that is held', () => {
  test('is not left by opening another address, until leaving is allowed', () => {
    const { bar, shown } = fakeWindow('/users')
    const { hold, asked } = holding()
    bar.holdWith(hold)
    bar.push('/runs')
    expect([bar.place().href, shown()]).toEqual(['/users', '/users'])
    asked[0]?.()
    expect([bar.place().href, shown()]).toEqual(['/runs', '/runs'])
  })

  test('is not left by the way back, however far; leaving after all goes as far', async () => {
    const { bar, go, settle, shown, steps } = fakeWindow('/a')
    bar.push('/b')
    bar.push('/c')
    const { hold, asked } = holding()
    const free = bar.holdWith(hold)
    go(-2)
    await settle()
    expect([bar.place().href, shown(), asked.length]).toEqual(['/c', '/c', 1])
    asked[0]?.()
    await settle()
    expect([bar.place().href, shown(), asked.length]).toEqual(['/a', '/a', 1])
    free()
    go(1)
    await settle()
    expect(bar.place().href).toBe('/b')
    expect(steps()).toEqual(['/a', '/b', '/c'])
  })

  test('is left freely once nobody holds it', () => {
    const { bar } = fakeWindow('/a')
    const { hold, asked } = holding()
    bar.holdWith(hold)()
    bar.push('/b')
    expect([bar.place().href, asked.length]).toEqual(['/b', 0])
  })
})

describe('an address', () => {
  test('that replaces another leaves no step', async () => {
    const { bar, go, settle, steps } = fakeWindow('/a')
    bar.push('/b')
    bar.replace('/b?search=x')
    expect(steps()).toEqual(['/a', '/b?search=x'])
    go(-1)
    await settle()
    expect(bar.place().href).toBe('/a')
  })

  test('is told to those who listen, until they stop', () => {
    const { bar } = fakeWindow('/a')
    const listener = vi.fn()
    const stop = bar.subscribe(listener)
    bar.push('/b')
    stop()
    bar.push('/c')
    expect(listener).toHaveBeenCalledOnce()
  })

  test('gives its search as names and texts, the same object as long as they are the same', () => {
    const { bar } = fakeWindow('/users?search=a%20b&status=active#top')
    const before = bar.place()
    expect(before).toEqual({
      pathname: '/users',
      search: { search: 'a b', status: 'active' },
      href: '/users?search=a%20b&status=active#top',
    })
    bar.push('/runs?search=a+b&status=active')
    expect(bar.place().search).toBe(before.search)
    bar.push('/runs?search=c')
    expect(bar.place().search).toEqual({ search: 'c' })
  })
})
