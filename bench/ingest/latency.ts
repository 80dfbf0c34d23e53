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
 * others, with an engine that answers at once.
 */
export async function measureLatency(stage: Stage, conversations: number) {
  const worker = await stage.startWorker()
  const client = new pg.Client(stage.databaseUrl)
  await client.connect()
  const took: number[] = []
  try {
    // The first ones are for the compiler.
    for (let n = -10; n < conversations; n++) {
      const one = await fromFinish(stage, client)
      if (n >= 0) took.push(one)
    }
  } finally {
    await client.end()
    await worker.stop()
  }
  return {
    conversations,
    transcribed_p50_ms: rounded(quantile(took, 0.5), 1),
    transcribed_p99_ms: rounded(quantile(took, 0.99), 1),
  }
}

async function fromFinish({ api, projectId }: Stage, client: pg.Client): Promise<number> {
  const phone = await newPhone(api.url, projectId)
  for (let seq = 0; seq < 3; seq++) await phone.send(seq, newChunk(CHUNK_BYTES))
  const started = performance.now()
  await phone.finish()
  while (!(await isTranscribed(client, phone.id))) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error('a conversation was never transcribed')
    await pause(LOOK_EVERY_MS)
  }
  return performance.now() - started
}

async function isTranscribed(client: pg.Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from parley.events where subject_id = $1 and type = 'conversation.transcribed'`,
    [id],
  )
  return rowCount === 1
}
