import { setTimeout as pause } from 'node:timers/promises'
import { quantile, rounded } from '../deliveries/figures.ts'
import type { Fixtures } from './fixtures.ts'
import { newChunk, newPhone, type Phone, requestJson } from './phone.ts'

const PHONES = 500
const CHUNK_SECONDS = 30
/** Half a minute of speech as phones encode it, at 32 kbit/s. */
const CHUNK_BYTES = 120 * 1024
const READ_EVERY_MS = 20

/** The memory of the API while a crowd records, and the latency of reads of a project before and during that. */
export async function measureCrowd(fixtures: Fixtures, seconds: number) {
  const before = await readsDuring(fixtures, pause(1000 * Math.min(seconds, 15)))
  const phones: Phone[] = []
  while (phones.length < PHONES) phones.push(await newPhone(fixtures.api.url, fixtures.projectId))
  const chunk = newChunk(CHUNK_BYTES)
  let isStopped = false
  let sent = 0
  const recording = phones.map(async ({ send }, number) => {
    await pause((number / PHONES) * CHUNK_SECONDS * 1000)
    for (let seq = 0; !isStopped; seq++) {
      await send(seq, chunk)
      sent++
      await pause(CHUNK_SECONDS * 1000)
    }
  })
  const during = await readsDuring(fixtures, pause(seconds * 1000))
  isStopped = true
  const steady = await fixtures.api.memory()
  await Promise.all(recording)
  // The worst case: all phones send at the same moment.
  const simultaneous = await Promise.allSettled(phones.map(({ send }) => send(99_999, chunk)))
  const { peak } = await fixtures.api.memory()
  const [quiet, busy] = [quantile(before, 0.99), quantile(during, 0.99)]
  return {
    phones: PHONES,
    chunk_bytes: CHUNK_BYTES,
    seconds,
    chunks: sent,
    memory_mb: rounded(steady.now, 1),
    memory_peak_with_all_at_once_mb: rounded(peak, 1),
    refused_of_all_at_once: simultaneous.filter(({ status }) => status === 'rejected').length,
    read_p99_before_ms: rounded(quiet, 2),
    read_p99_meanwhile_ms: rounded(busy, 2),
    read_p99_grows_by: rounded(busy / quiet, 2),
  }
}

/** The duration of reads of the project in milliseconds. They start at a fixed interval, even if an earlier one has not ended. */
export async function readsDuring(
  { api, projectId, authorization }: Pick<Fixtures, 'api' | 'projectId' | 'authorization'>,
  time: Promise<void>,
): Promise<number[]> {
  const durations: number[] = []
  const pending: Promise<void>[] = []
  const read = async () => {
    const started = performance.now()
    await requestJson(`${api.url}/api/v2/projects/${projectId}`, 'GET', { authorization })
    durations.push(performance.now() - started)
  }
  const timer = setInterval(() => void pending.push(read()), READ_EVERY_MS)
  await time
  clearInterval(timer)
  await Promise.all(pending)
  return durations
}
