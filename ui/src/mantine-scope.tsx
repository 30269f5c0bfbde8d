import './mantine-tokens.css'
import { createTheme, DirectionProvider, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'

const theme = createTheme({ fontFamily: 'var(--sans)', defaultRadius: 'sm', cursorType: 'pointer', respectReducedMotion: true })

const noRoot = (): undefined => undefined

interface MantineScopeProps {
  children: ReactNode
}

/**
 * What Mantine components need around them. It stands inside the lazily loaded components that use Mantine, so that the first page
 * loads none of it, and injects no style sheet: see `mantine-tokens.css`. The colour scheme is set on the root by the application.
 */
export function MantineScope({ children }: MantineScopeProps) {
  const rtl = document.documentElement.dir === 'rtl'
  return (
    <DirectionProvider initialDirection={rtl ? 'rtl' : 'ltr'} detectDirection={false}>
      <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} getRootElement={noRoot}>
        {children}
      </MantineProvider>
    </DirectionProvider>
  )
}
