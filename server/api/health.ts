import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { fastifySchemaOf, operationOf } from './openapi/index.ts'
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
const described = { method: 'GET', tag: 'Service', security: 'none', conditional: false } as const

const HEALTH = operationOf({
  ...described,
  problems: [],
  url: '/api/health',
  id: 'readHealth',
  summary: 'Whether the process is alive',
  responses: { 200: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }) },
})

const READINESS = operationOf({
  ...described,
  problems: [],
  url: '/api/ready',
  id: 'readReadiness',
  summary: 'Whether the service accepts requests',
  description: 'Recording continues while the identity store is unavailable; `degraded` names it then.',
  responses: {
    200: z.object({ status: z.literal('ready'), degraded: z.array(z.string()) }).meta({ id: 'Readiness' }),
  },
})

export function registerHealth(
  app: FastifyInstance,
  { lifecycle, database, identityIsUp }: HealthOptions,
): void {
  const databaseIsUp = () =>
    database.pool.query('select 1').then(
      () => true,
      () => false,
    )

  // Before the migrations have run, only these two routes can work.
  app.addHook('onRequest', (request, _reply, done) => {
    done(lifecycle.migrated || ALWAYS_AVAILABLE.has(request.routeOptions.url ?? '') ? undefined : notReady())
  })
  app.get(HEALTH.url, {
    config: { access: { kind: 'public' }, operation: HEALTH },
    schema: fastifySchemaOf(HEALTH),
    handler: async () => ({ status: 'ok' }),
  })
  app.get(READINESS.url, {
    config: { access: { kind: 'public' }, operation: READINESS },
    schema: fastifySchemaOf(READINESS),
    handler: async () => {
      if (!lifecycle.migrated || lifecycle.stopping || !(await databaseIsUp())) throw notReady()
      return { status: 'ready', degraded: (await identityIsUp()) ? [] : ['identity'] }
    },
  })
}
