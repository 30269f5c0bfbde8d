import { z } from 'zod'

/** A bad setting; its message names the setting and says what it takes. */
export class ConfigError extends Error {}

const flag = (standard: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { error: 'takes on or off' })
    .default(standard)
    .transform((value) => value === 'on')
const whole = (minimum: number, maximum: number) =>
  z.coerce
    .number({ error: 'takes a whole number' })
    .int({ error: 'takes a whole number' })
    .min(minimum, { error: `takes a number from ${minimum} to ${maximum}` })
    .max(maximum, { error: `takes a number from ${minimum} to ${maximum}` })
const json = <T extends z.ZodType>(shape: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'takes JSON' })
        return z.NEVER
      }
    })
    .pipe(shape)

/** An OpenID Connect provider of the customer's own; what differs from product to product is a setting. */
const externalProvider = z.strictObject({
  issuer: z.url(),
  clientId: z.string().min(1),
  audiences: z.array(z.string()).min(1),
  scopes: z.array(z.string()).default(['openid', 'profile', 'api', 'api.basic']),
  extraAuthorize: z.record(z.string(), z.string()).optional(),
  rolePath: z.array(z.string()).default(['role']),
  roleMap: z.record(z.string(), z.string()).optional(),
  subjectClaim: z.string().default('sub'),
  scopeClaim: z.string().default('scope'),
  scopeMap: z.record(z.string(), z.string()).optional(),
  typ: z.string().optional(),
  algorithms: z.array(z.string()).default(['RS256']),
  roleSource: z.enum(['accessToken', 'idToken', 'database']).default('database'),
  endSession: z.boolean().default(true),
})

/** Every setting the server reads, with what it means; `docs/operations.md` is generated from this table. */
export const SETTINGS = {
  PORT: whole(0, 65535).default(8080).describe('Port of the server. 0 takes a free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on. Behind a proxy on another machine: 0.0.0.0.'),
  TRUST_PROXY: z
    .string()
    .default('')
    .describe('Addresses or networks of the proxies in front, separated by commas; whose X-Forwarded-For is believed. Default: none.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'takes an address that starts with http:// or https://' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Address at which people reach the console. Default: http://localhost and the port.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'takes an address that starts with postgres://' })
    .optional()
    .describe('PostgreSQL 15 or later. Without it an embedded PostgreSQL starts by itself.'),
  DATABASE_CONNECTIONS: whole(2, 500).default(20).describe('Most connections to the database at one time.'),
  DATA_DIR: z.string().min(1).default('.instep').describe('Folder for the embedded database, uploaded files and the generated secret key.'),
  SECRET_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/_-]{43,}={0,2}$/, { error: 'takes at least 32 random bytes as base64' })
    .optional()
    .describe('Master key for encryption and signatures, base64. Required with DATABASE_URL; otherwise made once and kept in DATA_DIR.'),
  SANDBOX: flag('on').describe('Demonstration tenants, an HR system and a workplace. Off by itself when DATABASE_URL is set.'),
  SANDBOX_PORT: whole(0, 65535).default(8081).describe('Port of the sandbox HR system and workplace. 0 takes a free one.'),
  SANDBOX_PEOPLE: whole(20, 1_000_000).default(1000).describe('People in the sandbox HR system.'),
  IDENTITY_FLOW: z
    .enum(['implicit', 'code'], { error: 'takes implicit or code' })
    .optional()
    .describe('Sign-in flow of the console. Must be chosen when DATABASE_URL is set (recommended: code); otherwise implicit.'),
  IDENTITY_SILENT_RENEW: flag('off').describe('Renew the session in the background.'),
  IDENTITY_EXTERNAL: json(externalProvider)
    .optional()
    .describe('JSON: an external OpenID Connect provider instead of the embedded one (see below).'),
  FIRST_ADMIN: json(z.object({ email: z.email(), name: z.string().min(1), subject: z.string().min(1).optional() }))
    .optional()
    .describe(
      'JSON `{ email, name, subject? }`: the super administrator made when there is none. `subject` is required with an external provider.',
    ),
  SERVICE_BASES: json(z.record(z.string(), z.url()))
    .default({})
    .describe('JSON: host name of the console → address of the service it uses. Hosts not named use their own origin.'),
  MAX_FILE_BYTES: whole(1, 10_737_418_240).default(1_073_741_824).describe('Largest file that may be uploaded.'),
  SOURCE_FOLDER_ROOT: z
    .string()
    .min(1)
    .optional()
    .describe('Folder below which watched folders lie, each tenant in one that is named by its id. Without it none can be watched.'),
  SOURCE_STABLE_SECONDS: whole(0, 3600)
    .default(10)
    .describe(
      'How long a file in a watched folder or on an SFTP server must stay as it is to count as complete, where no manifest says so.',
    ),
  SOURCES_ALLOW_PRIVATE: flag('off').describe(
    'Whether sources may be fetched from, and targets asked at, addresses inside this network; sources also without TLS. On by itself in the sandbox.',
  ),
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol), {
      error: 'takes an address that starts with smtp:// or smtps://',
    })
    .optional()
    .describe(
      'Mail server, smtp://user:password@host:587; smtps for TLS from the beginning. Without it messages stay in the outbox of the console.',
    ),
  MAIL_FROM: z.string().min(3).optional().describe('Sender of mails: an address, or Name <address>. Needed with SMTP_URL.'),
  WORKERS: flag('on').describe('Whether this process carries out runs and provisioning, besides answering calls.'),
  PROVISIONING_CONCURRENCY: whole(1, 256).default(32).describe('Requests to one target at one time.'),
  METRICS_PORT: whole(0, 65535).optional().describe('Port of its own for /metrics.'),
  METRICS_TOKEN: z
    .string()
    .min(16, { error: 'takes at least 16 characters' })
    .optional()
    .describe('Bearer token that opens /metrics on the main port.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], { error: 'takes fatal, error, warn, info, debug or silent' })
    .optional()
    .describe('How much is written to the log. Default: warn in the sandbox, info otherwise.'),
} as const

const schema = z.object(SETTINGS)

export interface Config extends Omit<z.output<typeof schema>, 'PUBLIC_URL' | 'IDENTITY_FLOW' | 'LOG_LEVEL'> {
  readonly PUBLIC_URL: string
  readonly IDENTITY_FLOW: 'implicit' | 'code'
  readonly LOG_LEVEL: NonNullable<z.output<typeof schema>['LOG_LEVEL']>
}

/**
 * Reads the settings from the environment.
 *
 * @throws ConfigError with one line that names the first bad setting and what it takes
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.fromEntries(Object.keys(SETTINGS).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
  const result = schema.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new ConfigError(`${String(issue?.path[0])} ${issue?.message}.`)
  }
  const settings = result.data
  const production = settings.DATABASE_URL !== undefined
  if (production && !settings.SECRET_KEY)
    throw new ConfigError(
      'SECRET_KEY is needed with DATABASE_URL: give 32 random bytes as base64, for example from "openssl rand -base64 32".',
    )
  if (production && !settings.IDENTITY_FLOW)
    throw new ConfigError('IDENTITY_FLOW must be chosen with DATABASE_URL: code (recommended) or implicit.')
  if (production && !settings.PUBLIC_URL)
    throw new ConfigError('PUBLIC_URL is needed with DATABASE_URL: the address at which people reach the console.')
  if (settings.SMTP_URL && !settings.MAIL_FROM)
    throw new ConfigError('MAIL_FROM is needed with SMTP_URL: the address that mails come from.')
  const sandbox = environment['SANDBOX'] ? settings.SANDBOX : !production
  return {
    ...settings,
    SANDBOX: sandbox,
    SOURCES_ALLOW_PRIVATE: environment['SOURCES_ALLOW_PRIVATE'] ? settings.SOURCES_ALLOW_PRIVATE : sandbox,
    PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    IDENTITY_FLOW: settings.IDENTITY_FLOW ?? 'implicit',
    LOG_LEVEL: settings.LOG_LEVEL ?? (sandbox ? 'warn' : 'info'),
  }
}
