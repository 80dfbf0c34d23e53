import { setTimeout as pause } from 'node:timers/promises'
import { quantile, rounded } from '../deliveries/figures.ts'
import { newChunk, newPhone, type Phone, post } from './phone.ts'
import type { Stage } from './stage.ts'

const PHONES = 500
const CHUNK_SECONDS = 30
/** Half a minute of speech as phones encode it, at 32 kbit/s. */
const CHUNK_BYTES = 120 * 1024
const READ_EVERY_MS = 20

/** The memory of the API while a crowd records, and how long others wait for a project before and during that. */
export async function measureCrowd(stage: Stage, seconds: number) {
  const before = await readsDuring(stage, pause(1000 * Math.min(seconds, 15)))
  const phones: Phone[] = []
  while (phones.length < PHONES) phones.push(await newPhone(stage.api.url, stage.projectId))
  const chunk = newChunk(CHUNK_BYTES)
  let isOver = false
  let sent = 0
  const recording = phones.map(async ({ send }, number) => {
    await pause((number / PHONES) * CHUNK_SECONDS * 1000)
    for (let seq = 0; !isOver; seq++) {
      await send(seq, chunk)
      sent++
      await pause(CHUNK_SECONDS * 1000)
    }
  })
  const during = await readsDuring(stage, pause(seconds * 1000))
  isOver = true
  const steady = await stage.api.memory()
  await Promise.all(recording)
  // Phones do not send like that; it shows the cost of the worst case.
  const atOnce = await Promise.allSettled(phones.map(({ send }) => send(99_999, chunk)))
  const { peak } = await stage.api.memory()
  const [quiet, busy] = [quantile(before, 0.99), quantile(during, 0.99)]
  return {
    phones: PHONES,
    chunk_bytes: CHUNK_BYTES,
    seconds,
    chunks: sent,
    memory_mb: rounded(steady.now, 1),
    memory_peak_with_all_at_once_mb: rounded(peak, 1),
    refused_of_all_at_once: atOnce.filter(({ status }) => status === 'rejected').length,
    read_p99_before_ms: rounded(quiet, 2),
    read_p99_meanwhile_ms: rounded(busy, 2),
    read_p99_grows_by: rounded(busy / quiet, 2),
  }
}

/** Milliseconds that each read of the project took, one every so often whatever became of the last. */
export async function readsDuring(
  { api, projectId, authorization }: Pick<Stage, 'api' | 'projectId' | 'authorization'>,
  time: Promise<void>,
): Promise<number[]> {
  const took: number[] = []
  const underWay: Promise<void>[] = []
  const read = async () => {
    const started = performance.now()
    await post(`${api.url}/api/v2/projects/${projectId}`, 'GET', { authorization })
    took.push(performance.now() - started)
  }
  const timer = setInterval(() => void underWay.push(read()), READ_EVERY_MS)
  await time
  clearInterval(timer)
  await Promise.all(underWay)
  return took
}
