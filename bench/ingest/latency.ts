import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { quantile, rounded } from '../deliveries/figures.ts'
import type { Fixtures } from './fixtures.ts'
import { newChunk, newPhone } from './phone.ts'

const POLL_MS = 2
const CHUNK_BYTES = 32_044
const TIMEOUT_MS = 30_000

/**
 * Milliseconds from the request to finish, right after the last chunk, until conversation.transcribed is committed, with an engine
 * that responds immediately. `live`: the earlier chunks were transcribed during the recording. `together`: all chunks arrived
 * together, as from a phone that was offline; they are transcribed in order.
 */
export async function measureLatency(fixtures: Fixtures, conversations: number) {
  const worker = await fixtures.startWorker()
  const client = new pg.Client(fixtures.databaseUrl)
  await client.connect()
  const live: number[] = []
  const together: number[] = []
  try {
    // The first ones warm up the compiler.
    for (let n = -10; n < conversations; n++) {
      const [one, other] = [
        await fromFinish(fixtures, client, () => untilTranscribed(client)),
        await fromFinish(fixtures, client, async () => {}),
      ]
      if (n < 0) continue
      live.push(one)
      together.push(other)
    }
  } finally {
    await client.end()
    await worker.stop()
  }
  return {
    conversations,
    transcribed_p50_ms: rounded(quantile(live, 0.5), 1),
    transcribed_p99_ms: rounded(quantile(live, 0.99), 1),
    chunks_at_once_p50_ms: rounded(quantile(together, 0.5), 1),
    chunks_at_once_p99_ms: rounded(quantile(together, 0.99), 1),
  }
}

const CHUNKS = 3

async function fromFinish(
  { api, projectId }: Fixtures,
  client: pg.Client,
  beforeLast: () => Promise<void>,
): Promise<number> {
  const phone = await newPhone(api.url, projectId)
  for (let seq = 0; seq < CHUNKS; seq++) {
    if (seq === CHUNKS - 1) await beforeLast()
    await phone.send(seq, newChunk(CHUNK_BYTES))
  }
  const started = performance.now()
  await phone.finish()
  await until(() => isTranscribed(client, phone.id))
  return performance.now() - started
}

const untilTranscribed = (client: pg.Client): Promise<void> =>
  until(
    async () =>
      (await client.query(`select from parley.chunks where state = 'stored' limit 1`)).rowCount === 0,
  )

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const started = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - started > TIMEOUT_MS)
      throw new Error('Timeout: the conversation was not transcribed')
    await pause(POLL_MS)
  }
}

async function isTranscribed(client: pg.Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from parley.events where subject_id = $1 and type = 'conversation.transcribed'`,
    [id],
  )
  return rowCount === 1
}
