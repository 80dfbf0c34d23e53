import manifest from '../../package.json' with { type: 'json' }
import type { Logger } from '../../platform/log.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { Lifecycle } from '../api/health.ts'
import type { AppSettings } from '../app.ts'
import { publishedKeys, sharedSecretKeys } from '../auth/index.ts'
import {
  createApi,
  createInfrastructure,
  type Infrastructure,
  type InfrastructureOptions,
} from '../compose.ts'
import type { Settings } from '../config.ts'
import { type ChosenPort, drain, listen } from './listen.ts'
import type { Shutdown } from './shutdown.ts'

/** Secrets that are generated at the first start if they are not set. */
export interface Keys {
  encryption: string
  /** Undefined where the identity store publishes its keys. */
  identitySecret: string | undefined
  identityToken: string | undefined
}

export interface RoleParts {
  settings: Settings
  keys: Keys
  log: Logger
  shutdown: Shutdown
}

interface Given {
  databaseUrl: string
  files: FileStore
  connections?: NonNullable<InfrastructureOptions['connections']>
  supervisesJobs: boolean
}

export function openInfrastructure(
  { settings, keys, log, shutdown }: RoleParts,
  given: Given,
): Infrastructure {
  const infrastructure = createInfrastructure({
    ...given,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    log,
    encryptionKey: keys.encryption,
    egress: {
      allowHttp: settings.WEBHOOK_ALLOW_HTTP,
      allowNetworks: settings.WEBHOOK_ALLOW_NETWORKS,
      proxy: settings.EGRESS_PROXY ?? null,
    },
  })
  shutdown.add('infrastructure', infrastructure.close)
  return infrastructure
}

interface ApiRun {
  port: ChosenPort
  lifecycle: Lifecycle
  identityUrl(): string | null
}

export async function runApi(self: RoleParts, infrastructure: Infrastructure, run: ApiRun): Promise<void> {
  const { settings, keys, shutdown } = self
  const app = await createApi(infrastructure, {
    settings: appSettings(settings),
    lifecycle: run.lifecycle,
    identity: {
      url: run.identityUrl,
      publicUrl: () => publicIdentityUrl(settings, run.identityUrl()),
      token: keys.identityToken,
      keys: settings.IDENTITY_JWKS_URL
        ? publishedKeys(settings.IDENTITY_JWKS_URL, infrastructure.clock)
        : sharedSecretKeys(keys.identitySecret as string),
      issuer: settings.IDENTITY_ISSUER,
      checkSessions: settings.IDENTITY_CHECK_SESSIONS,
    },
  })
  await listen(app, settings.HOST, run.port)
  shutdown.add('api', async () => {
    run.lifecycle.stopping = true
    await drain(app)
  })
}

export const appSettings = (settings: Settings): AppSettings => ({
  version: manifest.version,
  publicUrl: publicUrlOf(settings),
  allowedOrigins: settings.ALLOWED_ORIGINS,
  trustedProxies: settings.TRUSTED_PROXIES,
  cookieName: settings.SESSION_COOKIE_NAME,
  tierGates: settings.TIER_GATES,
  confirmStaff: settings.IDENTITY_CONFIRM_STAFF,
  organisationCreation: settings.ORGANISATION_CREATION,
  allowHttpWebhooks: settings.WEBHOOK_ALLOW_HTTP,
  // A speech server gets each chunk in a separate request and can cut words at its edges; longer chunks have fewer edges.
  chunkSeconds: settings.TRANSCRIBER === 'openai' ? 10 : 5,
  rateLimits: settings.RATE_LIMITS
    ? { perUser: settings.RATE_LIMIT_PER_USER, failuresPerAddress: settings.RATE_LIMIT_FAILURES }
    : null,
})

export const publicUrlOf = ({ PUBLIC_URL, HOST, PORT }: Settings): string => PUBLIC_URL ?? urlOf(HOST, PORT)

export const publicIdentityUrl = (
  { IDENTITY_PUBLIC_URL, IDENTITY_URL }: Settings,
  started: string | null,
): string | null => IDENTITY_PUBLIC_URL ?? IDENTITY_URL ?? started

export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
