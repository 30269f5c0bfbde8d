import '@instep/ui/fonts.css'
import '@instep/ui/tokens.css'
import '@instep/ui/base.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './api/create-api.ts'
import { startI18n } from './i18n/i18n.ts'
import { createSession } from './session/create-session.ts'
import { fetchRuntimeConfig } from './session/runtime-config.ts'
import { App, Surroundings } from './shell/app.tsx'
import { useConsole } from './shell/console-store.ts'
import { expiredSignal } from './shell/expired-signal.ts'
import { signInAnswer } from './shell/sign-in-answer.ts'
import { StartFailed } from './shell/start-failed.tsx'

const show = (content: ReactNode): void => {
  const element = document.getElementById('root')
  if (element) createRoot(element).render(<StrictMode>{content}</StrictMode>)
}

const refuse = (reason: 'insecure' | 'startFailed'): void =>
  show(
    <Surroundings>
      <StartFailed reason={reason} />
    </Surroundings>,
  )

const start = async (): Promise<void> => {
  signInAnswer.catch()
  const [, config] = await Promise.all([startI18n(useConsole.getState().language), fetchRuntimeConfig().catch(() => null)])
  // Without an encrypted connection browsers hide what signing in needs.
  if (!window.isSecureContext) return refuse('insecure')
  if (!config) return refuse('startFailed')
  const session = createSession(config)
  const expire = () => {
    session.expire()
    expiredSignal.set(true)
  }
  session.onExpired(() => expiredSignal.set(true))
  await session.start()
  const language = () => useConsole.getState().language.replace('_', '-')
  const api = createApi({ baseUrl: config.apiBase, accessToken: session.accessToken, language, onExpired: expire })
  show(<App session={session} api={api} />)
}

void start()
