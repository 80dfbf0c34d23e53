import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startFixtures } from '../ingest/fixtures.ts'
import { newChunk, newPhone } from '../ingest/phone.ts'
import { added, type Cost, measureCost, per } from './meter.ts'

/** Five seconds of WAV, which takes more bytes than any recorder sends for them. */
const CHUNK_BYTES = 160_044
const CHUNK_SECONDS = 5
const LONG_CHUNKS = 13
const CONCURRENCY = 8
const WARM_UP_CONVERSATIONS = 40

const isService = (command: string): boolean => command.includes('/server/main.ts')

/**
 * Records conversations of one chunk and of thirteen; they are transcribed by an engine that takes no time, summarised and joined. The
 * cost of a conversation is that of the short ones, and the cost of a further minute is the difference.
 */
export async function measureRecordings(conversations: number) {
  await using fixtures = await startFixtures({ WORKERS: '1' })
  const { databaseUrl, api, projectId } = fixtures
  const record = async (count: number, chunks: number): Promise<void> => {
    const chunk = newChunk(CHUNK_BYTES)
    let left = count
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (left-- > 0) {
          const phone = await newPhone(api.url, projectId)
          for (let seq = 0; seq < chunks; seq++) await phone.send(seq, chunk)
          await phone.finish()
        }
      }),
    )
    await untilDone(databaseUrl)
  }
  const worker = await fixtures.startWorker()
  try {
    await record(WARM_UP_CONVERSATIONS, 2)
    const measure = async (chunks: number): Promise<Cost> =>
      per(await measureCost(databaseUrl, isService, () => record(conversations, chunks)), conversations)
    const [short, long] = [await measure(1), await measure(LONG_CHUNKS)]
    const minute = added(long, short, ((LONG_CHUNKS - 1) * CHUNK_SECONDS) / 60)
    return { conversation: short, minute, chunk: added(long, short, LONG_CHUNKS - 1) }
  } finally {
    await worker.stop()
  }
}

async function untilDone(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const isDone = async () =>
    (await client.query(`select from parley.conversations where status <> 'done' or audio is null limit 1`))
      .rowCount === 0
  while (!(await isDone())) await pause(100)
  await client.end()
}
