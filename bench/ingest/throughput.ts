import { median, rounded } from '../deliveries/figures.ts'
import type { Fixtures } from './fixtures.ts'
import { newChunk, newPhone, requestJson } from './phone.ts'

const CONNECTIONS = 64
const MEGABYTE = 1024 * 1024

export interface Load {
  bytes: number
  uploads: number
  /** Rounds that warm up the compiler and are not measured. */
  warmUp: number
}

/**
 * MB per second of chunks that are stored durably, by Parley and by a bare server in turns, because machines are noisy. All files
 * stay until the end: ext4 creates files at half the speed after deletions.
 */
export async function measureThroughput(
  fixtures: Fixtures,
  { bytes, uploads, warmUp }: Load,
  rounds: number,
  bareUpload: Upload = async (_, chunk) => void (await requestJson(fixtures.bare.url, 'PUT', {}, chunk)),
) {
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = -warmUp; round < rounds; round++) {
    const ours = await measure(bytes, uploads, await oursOf(fixtures))
    const bare = await measure(bytes, uploads, bareUpload)
    if (round < 0) continue
    rates.ours.push(ours)
    rates.bare.push(bare)
  }
  const [ours, bare] = [median(rates.ours), median(rates.bare)]
  return {
    chunk_bytes: bytes,
    uploads,
    at_once: CONNECTIONS,
    ours_mb_per_second: rounded(ours, 1),
    bare_mb_per_second: rounded(bare, 1),
    ratio: rounded(ours / bare),
    ours_rounds: rates.ours.map((rate) => rounded(rate, 1)),
    bare_rounds: rates.bare.map((rate) => rounded(rate, 1)),
  }
}

export type Upload = (connection: number, chunk: Buffer) => Promise<void>

async function oursOf({ api, projectId }: Fixtures): Promise<Upload> {
  const phones = await Promise.all(Array.from({ length: CONNECTIONS }, () => newPhone(api.url, projectId)))
  const next = Array.from({ length: CONNECTIONS }, () => 0)
  return async (connection, chunk) => {
    const seq = next[connection] ?? 0
    next[connection] = seq + 1
    await phones[connection]?.send(seq, chunk)
  }
}

async function measure(bytes: number, uploads: number, upload: Upload): Promise<number> {
  const chunk = newChunk(bytes)
  let left = uploads
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      while (left-- > 0) await upload(connection, chunk)
    }),
  )
  return (uploads * bytes) / MEGABYTE / ((performance.now() - started) / 1000)
}
