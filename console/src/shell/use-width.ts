import { useSyncExternalStore } from 'react'

export type Width = 'wide' | 'medium' | 'narrow'

const medium = window.matchMedia('(width < 1200px)')
const narrow = window.matchMedia('(width < 900px)')

const read = (): Width => (narrow.matches ? 'narrow' : medium.matches ? 'medium' : 'wide')
const subscribe = (listener: () => void): (() => void) => {
  for (const query of [medium, narrow]) query.addEventListener('change', listener)
  return () => {
    for (const query of [medium, narrow]) query.removeEventListener('change', listener)
  }
}

/** How wide the window is: the navigation stands (wide), is collapsed below 1200 px (medium), is an overlay below 900 px (narrow). */
export const useWidth = (): Width => useSyncExternalStore(subscribe, read)
