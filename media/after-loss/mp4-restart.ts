import { guessMp4Header } from './mp4-header.ts'
import type { RestartRule } from './restart-point.ts'

/** A fragment begins with its size, `moof`, and a header box of 16 bytes. */
const MOOF = Buffer.concat([Buffer.from('moof'), Buffer.from([0, 0, 0, 16]), Buffer.from('mfhd')])
const SIZE_BYTES = 4

/** A slice begins with a whole fragment in some browsers. In others, the rest of a cut fragment cannot be used. */
export const mp4Restart: RestartRule = {
  container: 'mp4',
  headerEnd(bytes) {
    const at = fragmentIn(bytes)
    if (at !== null) return at
    // Some browsers send the header alone first.
    return bytes.includes('moov') ? bytes.length : null
  },
  find(bytes, header) {
    const at = fragmentIn(bytes)
    return at === null ? null : { at, startMs: timeOf(bytes, at, timescaleOf(header)) }
  },
  guessHeader(bytes) {
    const at = fragmentIn(bytes)
    return at === null ? null : guessMp4Header(bytes.subarray(at))
  },
}

function fragmentIn(bytes: Buffer): number | null {
  const at = bytes.indexOf(MOOF) - SIZE_BYTES
  return at < 0 ? null : at
}

/** The decode time of the fragment (`tfdt`). */
function timeOf(bytes: Buffer, fragment: number, timescale: number | null): number | null {
  const end = fragment + bytes.readUInt32BE(fragment)
  const at = bytes.indexOf('tfdt', fragment)
  if (timescale === null || at < 0 || at + 16 > Math.min(end, bytes.length)) return null
  const time = bytes[at + 4] === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at + 8)
  return (time * 1_000) / timescale
}

/** The timescale of the first track; audio recordings have only one. */
function timescaleOf(header: Buffer): number | null {
  const at = header.indexOf('mdhd')
  if (at < 0 || at + 28 > header.length) return null
  return header.readUInt32BE(at + (header[at + 4] === 1 ? 24 : 16)) || null
}
