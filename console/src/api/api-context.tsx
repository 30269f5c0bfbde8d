import { createContext, type ReactNode, useContext } from 'react'
import type { Api } from './create-api.ts'

const Given = createContext<Api | null>(null)

interface ApiProviderProps {
  api: Api
  children: ReactNode
}

/** Gives the client to everything below. */
export function ApiProvider({ api, children }: ApiProviderProps) {
  return <Given value={api}>{children}</Given>
}

/** The client of the contract. */
export const useApi = (): Api => {
  const api = useContext(Given)
  if (!api) throw new Error('ApiProvider is missing')
  return api
}
