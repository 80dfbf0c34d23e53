import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { WakeUps } from '../database/notifications.ts'
import { createAddressLimit } from '../platform/address-limit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createRateLimit } from '../platform/rate-limit.ts'
import type { FileStore } from '../storage/file-store.ts'
import { rememberMethods } from './api/allowed-methods.ts'
import { allowOrigins } from './api/cors.ts'
import { type Lifecycle, registerHealth } from './api/health.ts'
import { createHttp } from './api/http-server.ts'
import { registerDocs, registerReference } from './api/openapi/docs-page.ts'
import { Problem } from './api/problems.ts'
import {
  type Authentication,
  admit,
  createRouter,
  type IdentityStore,
  type Router,
  type RouterOptions,
} from './auth/index.ts'
import type { Jobs } from './background/queue.ts'
import {
  createAdmission,
  createChunkRecorder,
  createParticipantRoutes,
  createQuota,
  type ParticipantLimits,
  registerConversations,
  registerParticipant,
  registerUploads,
  registerWithdrawPage,
  TUS_OFFER,
} from './conversations/index.ts'
import { registerExports } from './exports/index.ts'
import { registerPublishedReport, registerReports } from './reports/index.ts'
import { registerStaff } from './staff/index.ts'
import { createLimits, type Limits, registerTenancy } from './tenancy/index.ts'
import {
  createEmitter,
  describeEvents,
  type Egress,
  registerWebhooks,
  type WebhookParts,
} from './webhooks/index.ts'

/** All that the app stands on, passed in: building it touches nothing. */
export interface AppParts {
  settings: AppSettings
  database: Database
  store: IdentityStore
  authentication: Authentication
  keyring: Keyring
  egress: Egress
  wakeUps: WakeUps
  files: FileStore
  jobs: Jobs
  lifecycle: Lifecycle
  clock: Clock
  log: Logger
  metrics: Metrics
}

export interface AppSettings {
  version: string
  publicUrl: string
  allowedOrigins: string[]
  trustedProxies: string[]
  cookieName: string
  tierGates: boolean
  confirmStaff: boolean
  whoMayCreateOrganisations: 'any' | 'staff'
  /** Whether webhooks may have http: addresses. */
  webhooksByHttp: boolean
  /** Null: no limits. */
  rateLimits: { perUser: number; failuresPerAddress: number } | null
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, database, store, lifecycle, log, metrics } = parts
  const app = createHttp({ log, metrics, trustedProxies: settings.trustedProxies })
  const origins = new Set([...settings.allowedOrigins, new URL(settings.publicUrl).origin])

  allowOrigins(app, origins, TUS_OFFER)
  await registerDocs(app, { ...settings, webhooks: describeEvents() })

  const refuseOtherMethods = rememberMethods(app)
  const rules = routerOptions(parts, origins)
  const router = createRouter(app, rules)
  registerHealth(app, { lifecycle, database, identityIsUp: () => store.isUp() })
  registerReference(app)
  const tierLimits = createLimits(settings.tierGates)
  registerTenancy(router, {
    store,
    limits: tierLimits,
    whoMayCreateOrganisations: settings.whoMayCreateOrganisations,
  })
  registerWebhooks(router, webhookParts(parts))
  await registerRecording(app, router, rules, tierLimits, parts)
  registerStaff(router)
  refuseOtherMethods((url) =>
    isStaffPath(url) ? async (request) => void (await admit(request, { kind: 'staff' }, rules)) : undefined,
  )
  hideStaffPaths(app, rules)
  return app
}

/**
 * In a minute. A room of 200 phones shares one address, and each of them sends two chunks and asks how it goes: some 1,200
 * requests. A project has several rooms, and a workspace several projects.
 */
const PARTICIPANT_LIMITS = {
  perAddress: 6_000,
  perConversation: 240,
  perProject: 6_000,
  perWorkspace: 12_000,
  startsPerProject: 1_200,
}

async function registerRecording(
  app: FastifyInstance,
  router: Router,
  rules: RouterOptions,
  tierLimits: Limits,
  parts: AppParts,
): Promise<void> {
  const { settings, database, files, jobs, wakeUps, keyring } = parts
  const { db, lookUps } = database
  const limits = settings.rateLimits && participantLimits(parts.clock)
  const admitParticipant = createAdmission(lookUps)
  const routes = await createParticipantRoutes(app, admitParticipant, limits)
  const { publicUrl } = settings
  const emit = createEmitter(settings)
  const recording = {
    db,
    files,
    jobs,
    emit,
    quota: createQuota(db, tierLimits),
    recordChunk: createChunkRecorder(db, { jobs, emit }),
    limits,
  }
  registerWithdrawPage(app)
  registerConversations(router, { db, jobs, emit, files, wakeUps, log: parts.log })
  registerReports(router, { db, jobs, publicUrl, limits: tierLimits, log: parts.log })
  registerExports(router, { files, publicUrl, clock: parts.clock, limits: tierLimits })
  registerPublishedReport(routes, db, publicUrl)
  registerParticipant(routes, { ...recording, keyring, publicUrl })
  await registerUploads(app, { ...recording, admitParticipant, rules })
}

function participantLimits(clock: Clock): ParticipantLimits {
  const limit = (perMinute: number) => createRateLimit({ perMinute, clock })
  return {
    perAddress: createAddressLimit({ perMinute: PARTICIPANT_LIMITS.perAddress, clock }),
    perConversation: limit(PARTICIPANT_LIMITS.perConversation),
    perProject: limit(PARTICIPANT_LIMITS.perProject),
    perWorkspace: limit(PARTICIPANT_LIMITS.perWorkspace),
    startsPerProject: limit(PARTICIPANT_LIMITS.startsPerProject),
  }
}

function webhookParts({ settings, database, egress, keyring, wakeUps, log }: AppParts): WebhookParts {
  return {
    db: database.db,
    log,
    egress,
    keyring,
    wakeUps,
    allowHttp: settings.webhooksByHttp,
    publicUrl: settings.publicUrl,
    userAgent: userAgentOf(settings.version),
    limitTests: settings.rateLimits !== null,
  }
}

/** As receivers see us. */
export const userAgentOf = (version: string): string => `Parley-Webhooks/${version}`

function routerOptions({ settings, ...parts }: AppParts, origins: ReadonlySet<string>): RouterOptions {
  const { tierGates, confirmStaff, rateLimits } = settings
  const limit = (perMinute: number) => createRateLimit({ perMinute, clock: parts.clock })
  return {
    database: parts.database,
    authentication: parts.authentication,
    keyring: parts.keyring,
    allowedOrigins: origins,
    tierGates,
    confirmStaff,
    limits: rateLimits && {
      perUser: limit(rateLimits.perUser),
      failuresPerAddress: createAddressLimit({
        perMinute: rateLimits.failuresPerAddress,
        clock: parts.clock,
      }),
    },
    metrics: parts.metrics,
  }
}

const STAFF_PREFIX = '/api/v2/admin'
const isStaffPath = (url: string): boolean => url === STAFF_PREFIX || url.startsWith(`${STAFF_PREFIX}/`)

/** Below the staff prefix, what does not exist answers 401, 403, 404 in that order, so that nobody else can map it. */
function hideStaffPaths(app: FastifyInstance, rules: RouterOptions): void {
  const refuse = async () => {
    throw new Problem('not_found')
  }
  for (const url of [STAFF_PREFIX, `${STAFF_PREFIX}/*`]) {
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { access: { kind: 'staff' } },
      schema: { hide: true },
      onRequest: [async (request) => void (await admit(request, { kind: 'staff' }, rules)), refuse],
      handler: refuse,
    })
  }
}
