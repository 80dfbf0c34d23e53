import { z } from 'zod'
import { checkDatabaseUrl } from '../database/hosts.ts'
import { parseKeyring } from '../platform/encryption.ts'
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
import { parseFilesUrl } from '../storage/open-store.ts'
import { readFaultPoints } from './fault-points.ts'

const httpUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https URL' })
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

const DEFAULT_WINDOW = 8_192

const engine = () => z.enum(['embedded', 'openai']).default('embedded')

/** Every setting. No other code of the backend reads the environment. */
export const settingsSchema = z.object({
  HOST: setting(
    z.string().default('127.0.0.1'),
    'Address that the backend and the embedded identity store listen on.',
  ),
  PORT: setting(port(8000), 'Port of the backend; 0 picks a free port.'),
  METRICS_HOST: setting(z.string().default('127.0.0.1'), 'Address that the metrics server listens on.'),
  METRICS_PORT: setting(
    port(9464),
    'Port of the metrics server (Prometheus text at /metrics); 0 picks a free port.',
  ),
  PUBLIC_URL: setting(
    httpUrl.optional(),
    'Address at which browsers and integrations reach the backend; used in links and always an allowed origin.',
    { default: 'from host and port' },
  ),
  ALLOWED_ORIGINS: setting(
    originList(),
    'Comma-separated origins of web pages that are allowed to call the backend and the embedded identity store from a browser.',
  ),
  TRUSTED_PROXIES: setting(
    networkList(),
    'Comma-separated addresses or networks (CIDR) of reverse proxies whose X-Forwarded-For header is trusted.',
  ),
  DATA_DIR: setting(
    z.string().optional(),
    'Folder of the embedded PostgreSQL, the generated secrets and, unless FILES_URL is set, the recordings.',
    { default: './data' },
  ),
  DATABASE_URL: setting(
    readableBy(checkDatabaseUrl).optional(),
    'Connection URL of your own PostgreSQL, version 15 or newer. It can list several hosts: `postgres://user:password@a:5432,b:5432/parley`; Parley uses the primary among them, and follows a failover.',
    { default: 'embedded PostgreSQL in DATA_DIR', secret: true },
  ),
  DATABASE_DIRECT_URL: setting(
    readableBy(checkDatabaseUrl).optional(),
    'Connection URL past the pooler, if DATABASE_URL leads to a pooler such as PgBouncer. Notifications, migrations, deliveries and the embedded identity store use it.',
    { default: 'none: DATABASE_URL leads to PostgreSQL', secret: true },
  ),
  FILES_URL: setting(
    readableBy(parseFilesUrl).optional(),
    'Where recordings are stored: a folder as a file: URL, or `s3://bucket/prefix`, which several machines can share.',
    { default: 'files in DATA_DIR' },
  ),
  FILES_PREVIOUS_URL: setting(
    readableBy(parseFilesUrl).optional(),
    'While files are moved: the store from which they come. Files that FILES_URL does not have yet are read from it.',
    { default: 'none' },
  ),
  S3_ENDPOINT: setting(httpUrl.optional(), 'Address of the S3 server, with FILES_URL=s3://…', {
    default: 'Amazon S3',
  }),
  S3_REGION: setting(z.string().default('us-east-1'), 'Region of the bucket.'),
  S3_ACCESS_KEY_ID: setting(z.string().optional(), 'Access key of the S3 server.', { default: 'none' }),
  S3_SECRET_ACCESS_KEY: setting(z.string().optional(), 'Secret key of the S3 server.', {
    default: 'none',
    secret: true,
  }),
  IDENTITY_URL: setting(
    httpUrl.optional(),
    'Address at which the backend reaches the identity store (Directus).',
    { default: 'the embedded store' },
  ),
  IDENTITY_PORT: setting(port(8055), 'Port of the embedded identity store; 0 picks a free port.'),
  IDENTITY_PUBLIC_URL: setting(
    httpUrl.optional(),
    'Address at which browsers reach the identity store; with https, the session cookie of the embedded store is Secure.',
    { default: 'IDENTITY_URL' },
  ),
  IDENTITY_SECRET: setting(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Secret with which the identity store signs its tokens (HS256); at least 32 characters.',
    { default: 'generated at the first start for the embedded store', secret: true },
  ),
  IDENTITY_JWKS_URL: setting(
    httpUrl.optional(),
    'Address of the public keys of a store that signs with RS256, ES256 or EdDSA; set it instead of IDENTITY_SECRET.',
    { default: 'none' },
  ),
  IDENTITY_ISSUER: setting(z.string().default('directus'), 'Required issuer (`iss`) of tokens.'),
  IDENTITY_TOKEN: setting(
    z.string().optional(),
    'Static token of the backend’s user at the identity store; the user needs permission only to read users.',
    { default: 'generated at the first start for the embedded store', secret: true },
  ),
  SESSION_COOKIE_NAME: setting(
    z
      .string()
      .regex(/^[\w.-]+$/)
      .default('service_session_token'),
    'Name of the session cookie that the identity store sets.',
  ),
  IDENTITY_CHECK_SESSIONS: setting(
    onOff('on'),
    'Check at the identity store that a session still exists, so that signing out takes effect within 30 s.',
  ),
  IDENTITY_CONFIRM_STAFF: setting(
    onOff('off'),
    'On staff routes, also check at the identity store that the caller is still staff.',
  ),
  ADMIN_EMAIL: setting(
    z.email().default('admin@example.com'),
    'E-mail address of the first administrator of the embedded identity store.',
  ),
  ADMIN_PASSWORD: setting(
    z.string().min(8, 'must have at least 8 characters').optional(),
    'Password of the first administrator; at least 8 characters.',
    { default: 'random, printed once', secret: true },
  ),
  ENCRYPTION_KEY: setting(
    readableBy(parseKeyring).optional(),
    'Key that encrypts secrets in the database: `id:` and 32 bytes in base64. Older keys can follow, separated by commas; they only decrypt. Required with DATABASE_URL.',
    { default: 'generated at the first start in DATA_DIR', secret: true },
  ),
  ROLES: setting(
    z
      .string()
      .regex(/^(api|worker)(,(api|worker))?$/, 'must be api, worker or api,worker')
      .default('api,worker')
      .transform((value) => new Set(value.split(','))),
    'What this process runs: `api` (HTTP), `worker` (background jobs), or both.',
  ),
  WORKERS: setting(
    z
      .string()
      .regex(/^(auto|[1-9]\d?)$/, 'must be auto or a number from 1 to 99')
      .default('auto')
      .transform((value) => (value === 'auto' ? value : Number(value))),
    'How many processes serve the API and send deliveries: `auto` starts one process for every two cores, at most 8, and fewer if PostgreSQL has too few connections for them. Transcription, summaries and reports stay in the first process. This number is independent of the role `worker` in ROLES.',
  ),
  TRANSCRIBER: setting(engine(), 'Speech engine: `embedded`, or `openai` for any OpenAI-compatible server.'),
  SPEECH_MODEL: setting(
    z.enum(['auto', 'base', 'small']).default('auto'),
    'Model of the embedded speech engine: `base`, or `small`, which makes fewer errors and takes more time and memory. `small` needs `npm run setup:speech -- small`. `auto` uses the fast models, and transcribes finished conversations again with `small` if it is installed and there are at least 4 GiB of memory.',
  ),
  SUMMARIZER: setting(
    engine(),
    'Summaries and reports: `embedded` selects sentences; `openai` writes text with a model on any OpenAI-compatible server.',
  ),
  OPENAI_BASE_URL: setting(
    httpUrl.optional(),
    'Base address of the OpenAI-compatible server, including /v1.',
    { default: 'none' },
  ),
  OPENAI_API_KEY: setting(
    z.string().optional(),
    'API key of the OpenAI-compatible server, if it requires one.',
    {
      default: 'none',
      secret: true,
    },
  ),
  TRANSCRIBE_BASE_URL: setting(
    httpUrl.optional(),
    'Base address of the speech server, if it is not the one at OPENAI_BASE_URL.',
    { default: 'OPENAI_BASE_URL' },
  ),
  TRANSCRIBE_API_KEY: setting(z.string().optional(), 'API key of the speech server.', {
    default: 'OPENAI_API_KEY',
    secret: true,
  }),
  TRANSCRIBE_MODEL: setting(
    z.string().default('whisper-1'),
    'Speech model, with TRANSCRIBER=openai. `whisper-1` reports times and confidence; `gpt-4o-transcribe-diarize` tells speakers apart.',
  ),
  TRANSCRIBE_VOICE_DETECTION: setting(
    onOff('on'),
    'Whether long silences are cut out before audio is sent to the speech server, which can invent text for silence. `off` saves CPU time with a server that detects speech itself.',
  ),
  SUMMARIZE_BASE_URL: setting(
    httpUrl.optional(),
    'Base address of the language model’s server, if it is not the one at OPENAI_BASE_URL.',
    { default: 'OPENAI_BASE_URL' },
  ),
  SUMMARIZE_API_KEY: setting(z.string().optional(), 'API key of the language model’s server.', {
    default: 'OPENAI_API_KEY',
    secret: true,
  }),
  SUMMARIZE_MODEL: setting(z.string().default('gpt-5.4-mini'), 'Language model, with SUMMARIZER=openai.'),
  SUMMARIZE_WINDOW: setting(
    wholeNumber(DEFAULT_WINDOW, 3_000, 2_000_000),
    'Context size of the language model: prompt and response together.',
    { unit: 'tokens' },
  ),
  SUMMARIZE_MAX_TOKENS: setting(
    wholeNumber(1_500, 200, 200_000),
    'Maximum length of a response of the language model, including its reasoning; a second attempt gets twice as many tokens. At most half of SUMMARIZE_WINDOW.',
    { unit: 'tokens' },
  ),
  TIER_GATES: setting(
    onOff('on'),
    'Whether features and limits depend on the tier of a workspace. Set to `off` when you host Parley for yourself.',
  ),
  ORGANISATION_CREATION: setting(
    z.enum(['any', 'staff']).default('any'),
    'Who can create organisations: `any` signed-in user, or only `staff`.',
  ),
  RATE_LIMITS: setting(onOff('on'), 'Whether requests are rate limited; `off` is for load tests.'),
  RATE_LIMIT_PER_USER: setting(
    wholeNumber(3000, 1, 1_000_000),
    'Average number of requests that one user can make; a burst of the same size is allowed.',
    { unit: 'per minute' },
  ),
  RATE_LIMIT_FAILURES: setting(
    wholeNumber(600, 1, 1_000_000),
    'Average number of requests with a missing or invalid token that one IPv4 address or IPv6 /64 network can make; a burst of the same size is allowed. An IPv6 /48 network can make ten times as many.',
    { unit: 'per minute' },
  ),
  WEBHOOK_ALLOW_HTTP: setting(onOff('off'), 'Whether webhook URLs can use http: as well as https:.'),
  WEBHOOK_ALLOW_NETWORKS: setting(
    networkList(),
    'Comma-separated addresses or networks (CIDR) in your own network that webhooks can reach; all other private and reserved addresses are refused.',
  ),
  EGRESS_PROXY: setting(
    z.url({ protocol: /^http$/, message: 'must be an http URL' }).optional(),
    'HTTP proxy for webhook deliveries. Parley resolves and checks each address, then connects through the proxy with CONNECT.',
    { default: 'none' },
  ),
  DELIVERY_LOG_DAYS: setting(
    wholeNumber(30, 5, 3650),
    'How long events, deliveries and delivery attempts are kept.',
    { unit: 'days' },
  ),
  FAULT_POINTS: setting(
    readableBy(readFaultPoints).optional(),
    'Only for fault tests: points at which the process kills itself, each as name:probability.',
    { default: 'none' },
  ),
  FAULT_LOG: setting(
    z.string().optional(),
    'Only for fault tests: file that gets a line each time the process kills itself.',
    { default: 'none' },
  ),
  LOG_LEVEL: setting(
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Lowest level that is logged: `debug`, `info`, `warn`, `error` or `silent`.',
  ),
  LOG_FORMAT: setting(
    z.enum(['auto', 'json', 'pretty']).default('auto'),
    'Format of log lines: `json`, `pretty` (readable text), or `auto`: readable on a terminal, JSON elsewhere.',
  ),
})

export type Settings = z.output<typeof settingsSchema>

const crossCheck: CrossCheck = (given) => {
  const { IDENTITY_URL: url, IDENTITY_SECRET: secret, IDENTITY_JWKS_URL: jwksUrl } = given
  const problems: [name: string, message: string][] = []
  const refuse = (name: string, message: string) => problems.push([name, message])
  if (secret && jwksUrl) refuse('IDENTITY_JWKS_URL', 'must not be set together with IDENTITY_SECRET')
  if (url && !secret && !jwksUrl)
    refuse('IDENTITY_SECRET', 'must be set (or IDENTITY_JWKS_URL) when IDENTITY_URL is set, to verify tokens')
  if (!url && jwksUrl)
    refuse('IDENTITY_JWKS_URL', 'needs IDENTITY_URL: the embedded store signs with a secret')
  if (given['DATABASE_URL'] && !given['ENCRYPTION_KEY'])
    refuse(
      'ENCRYPTION_KEY',
      'must be set when DATABASE_URL is set: all machines that use the database need the same key',
    )
  if (given['DATABASE_DIRECT_URL'] && !given['DATABASE_URL'])
    refuse('DATABASE_DIRECT_URL', 'needs DATABASE_URL, the address of the pooler')
  for (const name of ['FILES_URL', 'FILES_PREVIOUS_URL'])
    for (const key of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      if (given[name]?.startsWith('s3:') && !given[key])
        refuse(key, `must be set when ${name} is an s3: address`)
  for (const [engine, own] of [
    ['TRANSCRIBER', 'TRANSCRIBE_BASE_URL'],
    ['SUMMARIZER', 'SUMMARIZE_BASE_URL'],
  ] as const)
    if (given[engine] === 'openai' && !given['OPENAI_BASE_URL'] && !given[own])
      refuse('OPENAI_BASE_URL', `must be set (or ${own}) when ${engine} is openai`)
  const window = Number(given['SUMMARIZE_WINDOW'] ?? DEFAULT_WINDOW)
  if (Number(given['SUMMARIZE_MAX_TOKENS'] ?? 0) > window / 2)
    refuse('SUMMARIZE_MAX_TOKENS', 'must be at most half of SUMMARIZE_WINDOW')
  return problems
}

export const readConfig = (environment: NodeJS.ProcessEnv): Settings =>
  readSettings(settingsSchema, environment, crossCheck)
