import nodemailer from 'nodemailer'

/** A message on its way. */
export interface Mail {
  /** The same at every try, so that a mailbox can tell a repetition. */
  readonly messageId: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands a mail to a mail server; throws `MailRefused`. */
export type SendMail = (mail: Mail) => Promise<void>

/** Why a mail was not taken. */
export class MailRefused extends Error {
  /** Whether trying again is of no use: the server refused this recipient or this message for good. */
  readonly final: boolean
  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

export interface MailServer {
  /** `smtp://user:password@host:port`; `smtps:` for TLS from the beginning. */
  readonly url: string
  /** Address or `Name <address>`. */
  readonly from: string
}

const SECONDS = 1000
const LONGEST_ERROR = 300

const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly message: string
}

/** 5xx to the recipient or the message itself; a refused sign-in or greeting is the installation's, and is mended without losing mail. */
const isFinal = ({ responseCode = 0, code }: SmtpError): boolean => responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')

/** What the server said, in one line that can be kept and shown: without the password, wherever it is repeated. */
const shown = (text: string, pass: string | undefined): string => {
  const hidden = pass ? [pass, Buffer.from(pass).toString('base64')] : []
  const cleaned = hidden.reduce((said, secret) => said.replaceAll(secret, '***'), text)
  return cleaned
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, LONGEST_ERROR)
    .toWellFormed()
}

/**
 * Sends over SMTP (RFC 5321), one connection a mail. With a user name, TLS is required (RFC 3207) unless the server is on this machine, so that no password
 * crosses a network readably.
 */
export const createSendMail = ({ url, from }: MailServer): SendMail => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined
  const transport = nodemailer.createTransport({
    host: hostname,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: auth !== undefined && !secure && !isLoopback(hostname),
    ...(auth && { auth }),
    connectionTimeout: 10 * SECONDS,
    greetingTimeout: 10 * SECONDS,
    socketTimeout: 30 * SECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, ...mail }) => {
    try {
      await transport.sendMail({
        ...mail,
        from,
        to: { name: to.name, address: to.address },
        headers: { 'auto-submitted': 'auto-generated' },
      })
    } catch (error) {
      const refused = error as SmtpError
      throw new MailRefused(shown(refused.message, auth?.pass), isFinal(refused))
    }
  }
}
