import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Notifications } from '../database/notifications.ts'
import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { FileStore } from '../storage/file-store.ts'
import { rememberMethods } from './api/allowed-methods.ts'
import { allowOrigins } from './api/cors.ts'
import { type Lifecycle, registerHealth } from './api/health.ts'
import { createHttp } from './api/http-server.ts'
import { registerDocs, registerReference } from './api/openapi/docs-page.ts'
import { createRateLimits, type RateLimitSettings } from './api/rate-limits.ts'
import { createRouter, type Router, type RouterOptions } from './api/router.ts'
import { type Authentication, createParticipantTokens, type IdentityStore } from './auth/index.ts'
import type { Jobs } from './background/queue.ts'
import {
  createChunkRecorder,
  createQuota,
  registerConversations,
  registerParticipant,
  registerUploads,
  registerWithdrawPage,
  TUS_CORS,
} from './conversations/index.ts'
import { registerExports } from './exports/index.ts'
import { registerPublishedReport, registerReports } from './reports/index.ts'
import { hideStaffPaths, isStaffPath, registerStaff } from './staff/index.ts'
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
  notifications: Notifications
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
  rateLimits: RateLimitSettings | null
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, database, store, lifecycle, log, metrics } = parts
  const app = createHttp({ log, metrics, trustedProxies: settings.trustedProxies })
  const origins = new Set([...settings.allowedOrigins, new URL(settings.publicUrl).origin])

  allowOrigins(app, origins, TUS_CORS)
  await registerDocs(app, { ...settings, webhooks: describeEvents() })

  const refuseOtherMethods = rememberMethods(app)
  const router = createRouter(app, routerOptions(parts, origins))
  registerHealth(app, { lifecycle, database, identityIsUp: () => store.isUp() })
  registerReference(app)
  const tierLimits = createLimits(settings.tierGates)
  registerTenancy(router, {
    store,
    limits: tierLimits,
    whoMayCreateOrganisations: settings.whoMayCreateOrganisations,
  })
  registerWebhooks(router, webhookParts(parts))
  await registerRecording(app, router, tierLimits, parts)
  registerStaff(router)
  refuseOtherMethods((url) => (isStaffPath(url) ? router.guard({ kind: 'staff' }) : undefined))
  hideStaffPaths(app, router)
  return app
}

async function registerRecording(
  app: FastifyInstance,
  router: Router,
  tierLimits: Limits,
  parts: AppParts,
): Promise<void> {
  const { settings, database, files, jobs, notifications } = parts
  const { db } = database
  const { publicUrl } = settings
  const emit = createEmitter(settings)
  const recording = {
    db,
    files,
    jobs,
    emit,
    quota: createQuota(db, tierLimits),
    recordChunk: createChunkRecorder(db, { jobs, emit }),
  }
  registerWithdrawPage(app)
  registerConversations(router, { db, jobs, emit, files, notifications, log: parts.log })
  registerReports(router, { db, jobs, publicUrl, limits: tierLimits, log: parts.log })
  registerExports(router, { files, publicUrl, clock: parts.clock, limits: tierLimits })
  registerPublishedReport(router, db, publicUrl)
  await registerParticipant(router, { ...recording, publicUrl })
  await registerUploads(router, recording)
}

function webhookParts({ settings, database, egress, keyring, notifications, log }: AppParts): WebhookParts {
  return {
    db: database.db,
    log,
    egress,
    keyring,
    notifications,
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
  return {
    database: parts.database,
    authentication: parts.authentication,
    verifyParticipantToken: createParticipantTokens(parts.database.pipelined),
    keyring: parts.keyring,
    allowedOrigins: origins,
    tierGates,
    confirmStaff,
    limits: createRateLimits(rateLimits, parts.clock),
    metrics: parts.metrics,
  }
}
