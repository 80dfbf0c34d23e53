import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
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
}

const ALWAYS_AVAILABLE = new Set(['/api/health', '/api/ready'])
const notReady = () => new Problem('not_ready', { headers: { 'retry-after': '2' } })
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
  description: 'Recording continues while the identity store is unavailable; `degraded` names it then.',
  responses: {
    200: z.object({ status: z.literal('ready'), degraded: z.array(z.string()) }).meta({ id: 'Readiness' }),
  },
})

export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  const { lifecycle, database, identityIsUp } = options
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
    return { status: 'ready', degraded: (await identityIsUp()) ? [] : ['identity'] }
  })
}
