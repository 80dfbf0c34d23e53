import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { fastifySchemaOf, operationOf } from './openapi/index.ts'
import { Problem } from './problems.ts'

/** How far the process is; main moves it along. */
export interface Lifecycle {
  /** The schema is up to date, so that routes can work. */
  migrated: boolean
  stopping: boolean
}

export interface HealthOptions {
  lifecycle: Lifecycle
  database: Database
  identityIsUp(): Promise<boolean>
}

const ALWAYS_ANSWERS = new Set(['/api/health', '/api/ready'])
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
  description: 'Recording continues while the identity store is away; `degraded` names it then.',
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

  // Before the schema is there no route can work; these two can.
  app.addHook('onRequest', (request, _reply, done) => {
    done(lifecycle.migrated || ALWAYS_ANSWERS.has(request.routeOptions.url ?? '') ? undefined : notReady())
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
