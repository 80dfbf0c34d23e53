import { opusSeconds } from '../decode/packets/opus-packets.ts'
import { opusOggHeader, withSerial } from './ogg-header.ts'
import type { RestartRule } from './restart-point.ts'

const MARK = Buffer.from('OggS')
const HEAD = 27
const OPUS_RATE = 48_000

interface Page {
  /** The number of the stream, which each recording chooses at random. Decoders skip the pages of others. */
  serial: number
  /** Samples up to the end of the page; 0 in the pages of the header. */
  granule: bigint
  isContinued: boolean
  isLast: boolean
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
      if (page && page.granule > 0n)
        return { at, startMs: startOf(bytes, page, header), header: withSerial(header, page.serial) }
    }
    return null
  },
  guessHeader(bytes) {
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
      const page = pageAt(bytes, at)
      if (!page || page.granule <= 0n) continue
      const next = pageAt(bytes, page.end)
      // Other codecs, such as Vorbis, count other samples.
      if (next && next.end <= bytes.length && !isOpus(bytes, page, next)) return null
      return opusOggHeader(page.serial, packetsIn(bytes, page).some(isStereo) ? 2 : 1)
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
    serial: bytes.readUInt32LE(at + 14),
    granule: bytes.readBigInt64LE(at + 6),
    isContinued: ((bytes[at + 5] ?? 0) & 1) > 0,
    isLast: ((bytes[at + 5] ?? 0) & 4) > 0,
    sizes,
    body,
    end,
  }
}

/** Null for other codecs than Opus, and for a page that is cut. */
function startOf(bytes: Buffer, page: Page, header: Buffer): number | null {
  const head = header.indexOf('OpusHead')
  if (head < 0 || head + 12 > header.length || page.end > bytes.length) return null
  const samples =
    Number(page.granule) - header.readUInt16LE(head + 10) - samplesIn(bytes, page, !page.isContinued)
  return Math.max(0, (samples * 1_000) / OPUS_RATE)
}

/** The packets that end in the page. The first can begin in the page before. */
function packetsIn(bytes: Buffer, { sizes, body }: Page): Buffer[] {
  const packets: Buffer[] = []
  let [at, begin] = [body, body]
  for (const size of sizes) {
    at += size
    if (size === 255) continue
    packets.push(bytes.subarray(begin, at))
    begin = at
  }
  return packets
}

function samplesIn(bytes: Buffer, page: Page, withFirst: boolean): number {
  const packets = packetsIn(bytes, page).slice(withFirst ? 0 : 1)
  return packets.reduce((sum, packet) => sum + opusSeconds(packet), 0) * OPUS_RATE
}

/** Whether a page has as many samples as it counts after the page before. The last one can count fewer. */
function isOpus(bytes: Buffer, { granule }: Page, next: Page): boolean {
  if (next.isContinued || next.isLast || next.granule <= granule) return true
  return Math.abs(Number(next.granule - granule) - samplesIn(bytes, next, true)) < 1
}

/** RFC 6716, 3.1. */
const isStereo = (packet: Buffer): boolean => ((packet[0] ?? 0) & 4) > 0
