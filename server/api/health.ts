import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { fastifySchemaOf, type Operation, operationOf } from './openapi/index.ts'
import { Problem } from './problems.ts'

/** The state of the process, which main updates. */
export interface Lifecycle {
  /** The database schema is up to date. */
  migrated: boolean
  stopping: boolean
}

export interface HealthOptions {
  lifecycle: Lifecycle
  database: Database
  identityIsUp(): Promise<boolean>
  filesAreUp(): Promise<boolean>
}

const ALWAYS_AVAILABLE = new Set(['/api/health', '/api/ready'])
const notReady = () => new Problem('not_ready', { retryAfterSeconds: 2 })
const operation = (own: Pick<Operation, 'url' | 'id' | 'summary' | 'description' | 'responses'>): Operation =>
  operationOf({ method: 'GET', tag: 'Service', security: 'none', conditional: false, problems: [], ...own })

const HEALTH = operation({
  url: '/api/health',
  id: 'readHealth',
  summary: 'Whether the process is alive',
  responses: { 200: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }) },
})

const READINESS = operation({
  url: '/api/ready',
  id: 'readReadiness',
  summary: 'Whether the service accepts requests',
  description:
    '`degraded` names what is unavailable while the service continues: `identity` (recording continues), `files` (chunks and audio get 503).',
  responses: {
    200: z.object({ status: z.literal('ready'), degraded: z.array(z.string()) }).meta({ id: 'Readiness' }),
  },
})

/** Balancers ask often, and a bucket costs a request: the result is used for some seconds, by all of them. */
const CHECK_MS = 5_000
/** A store that responds later counts as unavailable for now. */
const CHECK_TIMEOUT_MS = 2_000

export function createFileCheck(files: Pick<FileStore, 'check'>): () => Promise<boolean> {
  let checked = Number.NEGATIVE_INFINITY
  let result = Promise.resolve(true)
  return async () => {
    if (performance.now() - checked > CHECK_MS) {
      checked = performance.now()
      const check = files.check().then(
        () => true,
        () => false,
      )
      result = Promise.race([check, pause(CHECK_TIMEOUT_MS, false, { ref: false })])
    }
    return result
  }
}

export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  const { lifecycle, database, identityIsUp, filesAreUp } = options
  const databaseIsUp = () => database.pool.query('select 1').then(Boolean, () => false)
  const optionsOf = (described: Operation) => ({
    config: { access: { kind: 'public' as const }, operation: described },
    schema: fastifySchemaOf(described),
  })

  // Before the migrations have run, only these two routes can work.
  app.addHook('onRequest', (request, _reply, done) => {
    done(lifecycle.migrated || ALWAYS_AVAILABLE.has(request.routeOptions.url ?? '') ? undefined : notReady())
  })
  app.get(HEALTH.url, optionsOf(HEALTH), async () => ({ status: 'ok' }))
  app.get(READINESS.url, optionsOf(READINESS), async () => {
    if (!lifecycle.migrated || lifecycle.stopping || !(await databaseIsUp())) throw notReady()
    const [identity, files] = await Promise.all([identityIsUp(), filesAreUp()])
    return { status: 'ready', degraded: [...(identity ? [] : ['identity']), ...(files ? [] : ['files'])] }
  })
}
