import { Logger, makeWorkerUtils, runOnce } from 'graphile-worker'
import pg from 'pg'
import { childOptions, now, serve } from './children.ts'
import { createSender, type Post, postsOf, sign } from './post.ts'
import type { Contender, ContenderOptions } from './types.ts'

/**
 * graphile-worker as it comes, and tuned as its documentation makes it fastest: jobs fetched and completed in batches.
 * Prepared statements (its default) and no log line for each job in both. It keeps no log of attempts.
 */
const SEED_BATCH = 5_000
const IN_BATCHES = { localQueue: { size: 2_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }
const POOL = 10

const { addresses, databaseUrl, tuned } = childOptions<ContenderOptions>()
const send = createSender(addresses)
const database = new pg.Pool({ connectionString: databaseUrl, max: POOL })
// It warns unless both are listened to.
database.on('error', (error) => console.error(error))
database.on('connect', (client) => client.on('error', (error) => console.error(error)))
const logger = new Logger(() => (level, message) => {
  if (level === 'error') console.error(message)
})
const jobs = await makeWorkerUtils({ pgPool: database, logger })
await jobs.migrate()

serve({
  async seed(count) {
    const specs = postsOf(count, addresses.length).map((payload) => ({ identifier: 'post', payload }))
    for (let n = 0; n < count; n += SEED_BATCH) await jobs.addJobs(specs.slice(n, n + SEED_BATCH))
    await database.query('vacuum analyze')
  },
  async run(_count, inFlight) {
    const post = async (payload: unknown) => {
      const { webhook, id, body } = payload as Post
      await send(webhook, id, body, sign(id, body))
    }
    const started = now()
    await runOnce({
      pgPool: database,
      logger,
      noHandleSignals: true,
      taskList: { post },
      preset: {
        worker: { concurrentJobs: inFlight, ...(tuned && IN_BATCHES) },
      },
    })
    return now() - started
  },
} satisfies Contender)
