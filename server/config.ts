import { z } from 'zod'
import { parseKeyring } from '../platform/encryption.ts'
import { parseFaultPoints } from '../platform/fault-points.ts'
import {
  type CrossCheck,
  networkList,
  onOff,
  originList,
  port,
  readSettings,
  setting,
  wholeNumber,
} from '../platform/settings.ts'
import { hasUserinfo } from '../platform/url-text.ts'

const httpUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .refine((url) => !hasUserinfo(url), 'must not contain a user name or password')

/** Text that the given parser accepts; the error it throws is the message. */
const readableBy = (read: (text: string) => unknown) =>
  z.string().superRefine((value, context) => {
    try {
      read(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })

const engine = () => z.enum(['embedded', 'openai']).default('embedded')

/** Every setting. No other code of the backend reads the environment. */
export const settingsSchema = z.object({
  HOST: setting(z.string().default('127.0.0.1'), {
    sentence: 'Address that the backend and the embedded identity store listen on.',
  }),
  PORT: setting(port(8000), { sentence: 'Port of the backend; 0 takes a free one.' }),
  METRICS_HOST: setting(z.string().default('127.0.0.1'), { sentence: 'Address that the metrics listen on.' }),
  METRICS_PORT: setting(port(9464), {
    sentence: 'Port of the metrics (Prometheus text at /metrics); 0 takes a free one.',
  }),
  PUBLIC_URL: setting(httpUrl.optional(), {
    sentence: 'Address of the backend as browsers see it; always an allowed origin.',
    default: 'from host and port',
  }),
  ALLOWED_ORIGINS: setting(originList(), {
    sentence: 'Origins of web pages that can use the API with the session cookie, separated by commas.',
  }),
  TRUSTED_PROXIES: setting(networkList(), {
    sentence:
      'Addresses or networks (CIDR) of proxies whose X-Forwarded-For is believed, separated by commas.',
  }),
  DATA_DIR: setting(z.string().optional(), {
    sentence: 'Folder for the embedded database, recordings and secrets.',
    default: './data',
  }),
  DATABASE_URL: setting(
    z.url({ protocol: /^postgres(ql)?$/, message: 'must be a postgres:// address' }).optional(),
    {
      sentence: 'PostgreSQL 15 or newer.',
      default: 'embedded PostgreSQL in DATA_DIR',
      secret: true,
    },
  ),
  FILES_URL: setting(
    z
      .string()
      .regex(/^file:/, 'must be a file: address')
      .optional(),
    { sentence: 'Folder for recordings, as a file: address.', default: 'file: in DATA_DIR' },
  ),
  IDENTITY_URL: setting(httpUrl.optional(), {
    sentence: 'Address of the identity store (Directus) as the backend reaches it.',
    default: 'the embedded store',
  }),
  IDENTITY_PORT: setting(port(8055), {
    sentence: 'Port of the embedded identity store; 0 takes a free one.',
  }),
  IDENTITY_PUBLIC_URL: setting(httpUrl.optional(), {
    sentence: 'Address of the identity store as browsers see it.',
    default: 'IDENTITY_URL',
  }),
  IDENTITY_SECRET: setting(z.string().min(32, 'must have at least 32 characters').optional(), {
    sentence: 'Secret that the identity store signs its tokens with (HS256).',
    default: 'created on first start for the embedded store',
    secret: true,
  }),
  IDENTITY_JWKS_URL: setting(httpUrl.optional(), {
    sentence:
      'Address of the public keys of a store that signs with RS256, ES256 or EdDSA; instead of IDENTITY_SECRET.',
    default: 'none',
  }),
  IDENTITY_ISSUER: setting(z.string().default('directus'), { sentence: 'Issuer that tokens must name.' }),
  IDENTITY_TOKEN: setting(z.string().optional(), {
    sentence:
      'Static token of the user that the backend has at the identity store, with permission to read users only.',
    default: 'created on first start for the embedded store',
    secret: true,
  }),
  SESSION_COOKIE_NAME: setting(
    z
      .string()
      .regex(/^[\w.-]+$/)
      .default('service_session_token'),
    {
      sentence: 'Name of the session cookie that the identity store sets.',
    },
  ),
  IDENTITY_CHECK_SESSIONS: setting(onOff('on'), {
    sentence: 'Ask the store whether a session has ended, so that a logout takes effect within 30 s.',
  }),
  IDENTITY_CONFIRM_STAFF: setting(onOff('off'), {
    sentence: 'Ask the store on staff routes too whether the caller is still staff.',
  }),
  ADMIN_EMAIL: setting(z.email().default('admin@example.com'), {
    sentence: 'E-mail address of the first admin in the embedded store.',
  }),
  ADMIN_PASSWORD: setting(z.string().min(8, 'must have at least 8 characters').optional(), {
    sentence: 'Password of the first admin.',
    default: 'random, printed once',
    secret: true,
  }),
  ENCRYPTION_KEY: setting(readableBy(parseKeyring).optional(), {
    sentence:
      'Keys for secrets at rest, `id:base64` of 32 bytes; older ones after commas can still decrypt. Required with an external database.',
    default: 'created on first start in DATA_DIR',
    secret: true,
  }),
  ROLES: setting(
    z
      .string()
      .regex(/^(api|worker)(,(api|worker))?$/, 'must be api, worker or api,worker')
      .default('api,worker')
      .transform((value) => new Set(value.split(','))),
    { sentence: 'Which parts this process runs: `api`, `worker`, or both.' },
  ),
  TRANSCRIBER: setting(engine(), {
    sentence: 'What turns speech into text: the embedded engine, or any OpenAI-compatible server.',
  }),
  SUMMARIZER: setting(engine(), {
    sentence: 'What summarises: the embedded engine, which picks sentences, or any OpenAI-compatible server.',
  }),
  OPENAI_BASE_URL: setting(httpUrl.optional(), {
    sentence: 'Address of the OpenAI-compatible server, up to and including /v1.',
    default: 'none',
  }),
  OPENAI_API_KEY: setting(z.string().optional(), {
    sentence: 'Its key, where it asks for one.',
    default: 'none',
    secret: true,
  }),
  TRANSCRIBE_MODEL: setting(z.string().default('whisper-1'), {
    sentence: 'Model for speech, with TRANSCRIBER=openai.',
  }),
  SUMMARIZE_MODEL: setting(z.string().default('gpt-4o-mini'), {
    sentence: 'Model for summaries and reports, with SUMMARIZER=openai.',
  }),
  SUMMARIZE_WINDOW: setting(wholeNumber(8_192, 3_000, 2_000_000), {
    sentence: 'Context window of that model in tokens, prompt and completion together.',
  }),
  TIER_GATES: setting(onOff('on'), { sentence: 'Whether some features need a tier; off for self-hosting.' }),
  ORGANISATION_CREATION: setting(z.enum(['any', 'staff']).default('any'), {
    sentence: 'Who can create organisations: any signed-in user, or staff.',
  }),
  RATE_LIMITS: setting(onOff('on'), { sentence: 'Rate limits on requests; off is for load tests.' }),
  RATE_LIMIT_PER_USER: setting(wholeNumber(3000, 1, 1_000_000), {
    sentence: 'Requests that one user can make on average; a burst of as many is allowed on top.',
    unit: 'per minute',
  }),
  RATE_LIMIT_FAILURES: setting(wholeNumber(600, 1, 1_000_000), {
    sentence:
      'Requests with no or a bad token that one IPv4 address or IPv6 /64 can make on average, with a burst of as many on top; an IPv6 /48 can make ten times as many.',
    unit: 'per minute',
  }),
  WEBHOOK_ALLOW_HTTP: setting(onOff('off'), {
    sentence: 'Whether webhooks can have http: addresses; without it only https: ones.',
  }),
  WEBHOOK_ALLOW_NETWORKS: setting(networkList(), {
    sentence:
      'Addresses or networks (CIDR) inside your own network that webhooks can reach, separated by commas; other addresses that are not public are rejected.',
  }),
  EGRESS_PROXY: setting(z.url({ protocol: /^http$/, message: 'must be an http address' }).optional(), {
    sentence: 'HTTP proxy through which deliveries leave, by CONNECT to addresses that were checked here.',
    default: 'none',
  }),
  DELIVERY_LOG_DAYS: setting(wholeNumber(30, 5, 3650), {
    sentence: 'How long events, deliveries and attempts are kept.',
    unit: 'days',
  }),
  FAULT_POINTS: setting(readableBy(parseFaultPoints).optional(), {
    sentence: 'For fault tests only: points at which the process kills itself, as name:probability.',
    default: 'none',
  }),
  FAULT_LOG: setting(z.string().optional(), {
    sentence: 'For fault tests only: file to which each such kill is logged.',
    default: 'none',
  }),
  LOG_LEVEL: setting(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'), {
    sentence: 'The lowest level that is logged.',
  }),
  LOG_FORMAT: setting(z.enum(['auto', 'json', 'pretty']).default('auto'), {
    sentence: 'Log lines: JSON, readable, or (auto) readable on a terminal and JSON elsewhere.',
  }),
})

export type Settings = z.output<typeof settingsSchema>

const crossCheck: CrossCheck = ({
  IDENTITY_URL,
  IDENTITY_SECRET,
  IDENTITY_JWKS_URL,
  DATABASE_URL,
  ENCRYPTION_KEY,
  TRANSCRIBER,
  SUMMARIZER,
  OPENAI_BASE_URL,
}) => {
  const problems: [string, string][] = []
  if (IDENTITY_SECRET && IDENTITY_JWKS_URL)
    problems.push(['IDENTITY_JWKS_URL', 'must not be set together with IDENTITY_SECRET'])
  if (IDENTITY_URL && !IDENTITY_SECRET && !IDENTITY_JWKS_URL) {
    problems.push([
      'IDENTITY_SECRET',
      'must be set (or IDENTITY_JWKS_URL) when IDENTITY_URL is: tokens are verified with it',
    ])
  }
  if (!IDENTITY_URL && IDENTITY_JWKS_URL) {
    problems.push(['IDENTITY_JWKS_URL', 'needs IDENTITY_URL: the embedded store signs with a secret'])
  }
  if (DATABASE_URL && !ENCRYPTION_KEY) {
    problems.push([
      'ENCRYPTION_KEY',
      'must be set when DATABASE_URL is: every machine on that database needs the same key',
    ])
  }
  if ((TRANSCRIBER === 'openai' || SUMMARIZER === 'openai') && !OPENAI_BASE_URL) {
    problems.push(['OPENAI_BASE_URL', 'must be set when TRANSCRIBER or SUMMARIZER is openai'])
  }
  return problems
}

export const readConfig = (environment: NodeJS.ProcessEnv): Settings =>
  readSettings(settingsSchema, environment, crossCheck)
