import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from './database.ts'
import { Problem } from './problems.ts'
import { ProblemSchema } from './schema.ts'

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
const PUBLIC = { access: { kind: 'public' as const } }
const notReady = () => new Problem('not_ready', { headers: { 'retry-after': '2' } })
const problem = {
  description: '`not_ready`',
  content: { 'application/problem+json': { schema: ProblemSchema } },
}

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
  app.get('/api/health', {
    config: PUBLIC,
    schema: {
      operationId: 'readHealth',
      summary: 'Alive',
      tags: ['Service'],
      response: { 200: z.object({ status: z.literal('ok') }) },
    },
    handler: async () => ({ status: 'ok' }),
  })
  app.get('/api/ready', {
    config: PUBLIC,
    schema: {
      operationId: 'readReady',
      summary: 'Ready for requests; recording goes on while the identity store is away',
      tags: ['Service'],
      response: {
        200: z.object({ status: z.literal('ready'), degraded: z.array(z.string()) }),
        503: problem,
      },
    },
    handler: async () => {
      if (!lifecycle.migrated || lifecycle.stopping || !(await databaseIsUp())) throw notReady()
      return { status: 'ready', degraded: (await identityIsUp()) ? [] : ['identity'] }
    },
  })
}
