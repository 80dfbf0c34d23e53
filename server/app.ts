import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Notifications } from '../database/notifications.ts'
import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { FileStore } from '../storage/file-store.ts'
import { registerActivity } from './activity/index.ts'
import { rememberMethods } from './api/allowed-methods.ts'
import { allowOrigins } from './api/cors.ts'
import { createFileCheck, type Lifecycle, registerHealth } from './api/health.ts'
import { createHttp } from './api/http-server.ts'
import { registerDocs, registerReference } from './api/openapi/docs-page.ts'
import { createRateLimits, type RateLimitSettings } from './api/rate-limits.ts'
import { createRouter } from './api/router.ts'
import { joinApiProcesses } from './api/shared-limits/api-processes.ts'
import { createSlots } from './api/shared-limits/slots.ts'
import { createTokenLeases } from './api/shared-limits/token-leases.ts'
import { type Authentication, createParticipantTokens, type IdentityStore } from './auth/index.ts'
import type { Jobs } from './background/queue.ts'
import {
  createChunkRecorder,
  createQuota,
  RECORDING_CORS,
  registerConversations,
  registerParticipant,
  registerPortalImages,
  registerShortLinks,
  registerUploads,
} from './conversations/index.ts'
import { registerExports } from './exports/index.ts'
import { registerDashboard } from './pages/dashboard-page.ts'
import { registerPortalPage } from './pages/portal-page.ts'
import { registerPublishedReport, registerReportPage, registerReports } from './reports/index.ts'
import { hideStaffPaths, isStaffPath, registerStaff } from './staff/index.ts'
import { createLimits, registerTenancy } from './tenancy/index.ts'
import {
  createEmitter,
  describeEvents,
  type Egress,
  registerWebhooks,
  type WebhookParts,
} from './webhooks/index.ts'

/** Everything that the app depends on is passed in. */
export interface AppParts {
  settings: AppSettings
  database: Database
  store: IdentityStore
  /** The address of the identity store for browsers; null while it starts. */
  identityPublicUrl(): string | null
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
  organisationCreation: 'any' | 'staff'
  /** Whether webhook URLs can use http:. */
  allowHttpWebhooks: boolean
  /** The length of chunks that the API recommends to recording pages. */
  chunkSeconds: number
  /** Null: no limits. */
  rateLimits: RateLimitSettings | null
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, database, store, lifecycle, log, metrics } = parts
  const { db } = database
  const app = createHttp({
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    sendNotFoundPage: (request, reply) => dashboard.sendNotFound(request, reply),
  })
  const origins = new Set([...settings.allowedOrigins, new URL(settings.publicUrl).origin])

  allowOrigins(app, origins, RECORDING_CORS)
  await registerDocs(app, { ...settings, webhooks: describeEvents() })

  const processes = joinApiProcesses({ ...database, metrics })
  app.addHook('onClose', () => processes.stop())
  const leases = createTokenLeases({ processes, queries: database.pipelined, metrics })
  const slots = createSlots(processes, database.pool)

  const refuseOtherMethods = rememberMethods(app)
  const router = createRouter(app, {
    ...parts,
    ...settings,
    verifyParticipantToken: createParticipantTokens(database.pipelined),
    allowedOrigins: origins,
    limits: createRateLimits(settings.rateLimits, { ...parts, leases }),
    slots,
    processId: processes.id,
  })
  const shared = {
    ...parts,
    ...settings,
    db,
    slots,
    limits: createLimits(settings.tierGates),
    emit: createEmitter(settings),
  }
  registerHealth(app, {
    lifecycle,
    database,
    identityIsUp: () => store.isUp(),
    filesAreUp: createFileCheck(parts.files),
  })
  registerReference(app)
  await registerTenancy(router, shared)
  registerWebhooks(router, {
    ...shared,
    allowHttp: settings.allowHttpWebhooks,
    userAgent: userAgentOf(settings.version),
    limitTests: settings.rateLimits !== null,
  } satisfies WebhookParts)
  registerActivity(router, settings)
  const dashboard = registerDashboard(app, shared)
  registerShortLinks(router, { ...shared, ...registerPortalPage(app, router, shared) })
  registerPortalImages(router, shared)
  registerConversations(router, shared)
  registerReports(router, shared)
  registerExports(router, shared)
  registerPublishedReport(router, db, settings.publicUrl)
  registerReportPage(router, db)
  const recording = {
    ...shared,
    quota: createQuota(db, shared.limits),
    recordChunk: createChunkRecorder(db, shared),
  }
  await registerParticipant(router, recording)
  await registerUploads(router, recording)
  registerStaff(router, shared)
  refuseOtherMethods((url) => (isStaffPath(url) ? router.guard({ kind: 'staff' }) : undefined))
  hideStaffPaths(app, router)
  return app
}

/** The User-Agent that receivers see. */
export const userAgentOf = (version: string): string => `Parley-Webhooks/${version}`
