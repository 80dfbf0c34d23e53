import { Queue, Worker } from 'bullmq'
import { childOptions, now, serve } from './children.ts'
import { createSender, type Post, postsOf, sign } from './post.ts'
import type { Contender, ContenderOptions } from './types.ts'

/** One BullMQ worker, with ioredis as its client. Jobs are removed when they are done: it keeps no log of attempts. */
const SEED_BATCH = 2_000
const NAME = 'posts'

const { addresses, redisPort } = childOptions<ContenderOptions>()
const send = createSender(addresses)
const connection = { host: '127.0.0.1', port: redisPort }
const queue = new Queue<Post>(NAME, { connection, defaultJobOptions: { removeOnComplete: true } })
await queue.waitUntilReady()

serve({
  async seed(count) {
    const jobs = postsOf(count, addresses.length).map((data) => ({ name: 'post', data }))
    for (let n = 0; n < count; n += SEED_BATCH) await queue.addBulk(jobs.slice(n, n + SEED_BATCH))
  },
  async run(count, inFlight) {
    const started = now()
    const worker = new Worker<Post>(
      NAME,
      async ({ data: { webhook, id, body } }) => send(webhook, id, body, sign(id, body)),
      { connection, concurrency: inFlight },
    )
    const finished = new Promise<number>((resolve, reject) => {
      let completed = 0
      worker.on('completed', () => ++completed === count && resolve(now() - started))
      worker.on('failed', (_job, error) => reject(error))
      worker.on('error', reject)
    })
    try {
      return await finished
    } finally {
      await worker.close()
    }
  },
} satisfies Contender)
