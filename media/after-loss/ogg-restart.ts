import { opusSeconds } from '../decode/packets/opus-packets.ts'
import type { RestartRule } from './restart-point.ts'

const MARK = Buffer.from('OggS')
const HEAD = 27
const OPUS_RATE = 48_000

interface Page {
  /** Samples up to the end of the page; 0 in the pages of the header. */
  granule: bigint
  isContinued: boolean
  sizes: Uint8Array
  body: number
  end: number
}

/** RFC 3533 and RFC 7845: a page states the time at which it ends. */
export const oggRestart: RestartRule = {
  container: 'ogg',
  headerEnd(bytes) {
    let at = 0
    for (let page = pageAt(bytes, at); page?.granule === 0n; page = pageAt(bytes, at)) at = page.end
    return at === 0 ? null : Math.min(at, bytes.length)
  },
  find(bytes, header) {
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
      const page = pageAt(bytes, at)
      if (page && page.granule > 0n) return { at, startMs: startOf(bytes, page, header) }
    }
    return null
  },
}

function pageAt(bytes: Buffer, at: number): Page | null {
  if (at + HEAD > bytes.length || !bytes.subarray(at, at + 4).equals(MARK) || bytes[at + 4] !== 0) return null
  const sizes = bytes.subarray(at + HEAD, at + HEAD + (bytes[at + 26] ?? 0))
  const body = at + HEAD + sizes.length
  const end = sizes.reduce((sum, size) => sum + size, body)
  return {
    granule: bytes.readBigInt64LE(at + 6),
    isContinued: ((bytes[at + 5] ?? 0) & 1) === 1,
    sizes,
    body,
    end,
  }
}

/** Null for other codecs than Opus, and for a page that is cut. */
function startOf(
  bytes: Buffer,
  { granule, isContinued, sizes, body, end }: Page,
  header: Buffer,
): number | null {
  const head = header.indexOf('OpusHead')
  if (head < 0 || head + 12 > header.length || end > bytes.length) return null
  let [at, seconds, isFirst, begin] = [body, 0, true, body]
  for (const size of sizes) {
    at += size
    if (size === 255) continue
    if (!(isFirst && isContinued)) seconds += opusSeconds(bytes.subarray(begin, at))
    isFirst = false
    begin = at
  }
  const samples = Number(granule) - header.readUInt16LE(head + 10) - seconds * OPUS_RATE
  return Math.max(0, (samples * 1_000) / OPUS_RATE)
}
