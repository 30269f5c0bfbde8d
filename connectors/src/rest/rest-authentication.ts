import { type ClientCredentials, createTokenHolder, readTokenAnswer, type Token, tokenRequest } from '../kit/client-credentials.ts'
import { ConnectorError } from '../kit/problem.ts'
import { pageProblem } from './rest-answers.ts'
import type { RestSettings } from './rest-settings.ts'
import type { RestTransport } from './rest-transport.ts'

/** What a request carries so that it is let in. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>
  /** For systems that take their key in the address only. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface Signer {
  sign(signal: AbortSignal): Promise<Signature>
  /** Forgets a token that was not accepted; true when another can be had. */
  renew(): boolean
}

const askForToken = async (client: ClientCredentials, transport: RestTransport, signal: AbortSignal): Promise<Token> => {
  const place = { host: client.tokenUrl.host, page: 0 }
  try {
    const answer = await transport.exchange({ url: client.tokenUrl, method: 'POST', ...tokenRequest(client), page: 0, signal })
    const read = readTokenAnswer(answer.text)
    if (read === 'notJson') throw pageProblem('SOURCE_NOT_JSON', place)
    if (read === 'noToken') throw pageProblem('SOURCE_UNAUTHORISED', place)
    return read
  } catch (error) {
    // RFC 6749 section 5.2: a client that is not known is refused with 400 as well
    if (error instanceof ConnectorError && error.code === 'SOURCE_REFUSED')
      throw new ConnectorError({ code: 'SOURCE_UNAUTHORISED', params: error.params, detail: error.detail })
    throw error
  }
}

const signOAuth = (client: ClientCredentials, transport: RestTransport, now: () => Date): Signer => {
  const holder = createTokenHolder((signal) => askForToken(client, transport, signal ?? AbortSignal.abort()), now)
  return {
    sign: async (signal) => ({ headers: { authorization: `Bearer ${await holder.token(signal)}` }, parameters: {} }),
    renew: () => {
      holder.forget()
      return true
    },
  }
}

/** Signs the requests of a REST source; OAuth tokens (RFC 6749 section 4.4) are kept until shortly before they end. */
export const createSigner = ({ authentication }: RestSettings, transport: RestTransport, now: () => Date): Signer => {
  if (authentication.kind === 'oauth') return signOAuth(authentication, transport, now)
  const headers = authentication.kind === 'header' ? { [authentication.name]: authentication.value } : {}
  const parameters = authentication.kind === 'parameter' ? { [authentication.name]: authentication.value } : {}
  return { sign: async () => ({ headers, parameters }), renew: () => false }
}
