import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { quantile, rounded } from '../deliveries/figures.ts'
import { newChunk, newPhone } from './phone.ts'
import type { Stage } from './stage.ts'

const LOOK_EVERY_MS = 2
const CHUNK_BYTES = 32_044
const GIVE_UP_MS = 30_000

/**
 * Milliseconds from the request to finish, right behind the last chunk, until conversation.transcribed can be read by
 * others, with an engine that responds immediately: of a recording whose earlier chunks were transcribed during it, and of one
 * whose chunks arrived together, as from a phone that was offline. Those are transcribed in order.
 */
export async function measureLatency(stage: Stage, conversations: number) {
  const worker = await stage.startWorker()
  const client = new pg.Client(stage.databaseUrl)
  await client.connect()
  const live: number[] = []
  const atOnce: number[] = []
  try {
    // The first ones are for the compiler.
    for (let n = -10; n < conversations; n++) {
      const [one, other] = [
        await fromFinish(stage, client, () => heardSoFar(client)),
        await fromFinish(stage, client, async () => {}),
      ]
      if (n < 0) continue
      live.push(one)
      atOnce.push(other)
    }
  } finally {
    await client.end()
    await worker.stop()
  }
  return {
    conversations,
    transcribed_p50_ms: rounded(quantile(live, 0.5), 1),
    transcribed_p99_ms: rounded(quantile(live, 0.99), 1),
    chunks_at_once_p50_ms: rounded(quantile(atOnce, 0.5), 1),
    chunks_at_once_p99_ms: rounded(quantile(atOnce, 0.99), 1),
  }
}

const CHUNKS = 3

async function fromFinish(
  { api, projectId }: Stage,
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

const heardSoFar = (client: pg.Client): Promise<void> =>
  until(
    async () =>
      (await client.query(`select from parley.chunks where state = 'stored' limit 1`)).rowCount === 0,
  )

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const started = performance.now()
  while (!(await isSo())) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error('a conversation was never transcribed')
    await pause(LOOK_EVERY_MS)
  }
}

async function isTranscribed(client: pg.Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from parley.events where subject_id = $1 and type = 'conversation.transcribed'`,
    [id],
  )
  return rowCount === 1
}
