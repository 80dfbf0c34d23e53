/** The sample rates that browsers record with, and the time scale of their files. */
type Rate = 48_000 | 44_100
const RATE = 48_000
const AAC_FRAME = 1_024

/**
 * A header for fragments whose own never arrived: one track with AAC-LC or Opus. The first fragment says which of them: an AAC
 * frame has 1,024 samples, and its first bits state whether it is stereo.
 */
export function guessMp4Header(fragment: Buffer): Buffer | null {
  const data = fragment.indexOf('mdat')
  const tfhd = fragment.indexOf('tfhd')
  if (data < 0 || data + 5 > fragment.length || tfhd < 0 || tfhd > data) return null
  const isAac = sampleDuration(fragment, tfhd) === AAC_FRAME
  const channels = isAac && (fragment[data + 4] ?? 0) >> 5 === 0 ? 1 : 2
  const rate = isAac ? rateOf(fragment) : RATE
  const entry = isAac
    ? sampleEntry('mp4a', channels, rate, box('esds', uint(0, 4), aacConfig(channels, rate)))
    : sampleEntry(
        'Opus',
        channels,
        rate,
        box('dOps', uint(0, 1), uint(channels, 1), uint(0, 2), uint(RATE, 4), uint(0, 3)),
      )
  return headerOf(fragment.readUInt32BE(tfhd + 8), rate, entry)
}

/** Recorders cut fragments at multiples of it. */
const FRAGMENT_STEP_SECONDS = 0.5

/**
 * AAC fragments do not state their sample rate. Recorders cut them at round times, so the usual number of frames shows whether the rate
 * is 44.1 kHz instead of 48 kHz.
 */
function rateOf(bytes: Buffer): Rate {
  const lengths = frameCounts(bytes).toSorted((one, other) => one - other)
  const frames = lengths[Math.floor(lengths.length / 2)] ?? 0
  return !isRound(frames, RATE) && isRound(frames, 44_100) ? 44_100 : RATE
}

function isRound(frames: number, rate: Rate): boolean {
  const seconds = (frames * AAC_FRAME) / rate
  const steps = Math.round(seconds / FRAGMENT_STEP_SECONDS)
  return steps > 0 && Math.abs(seconds - steps * FRAGMENT_STEP_SECONDS) <= AAC_FRAME / rate
}

/** The number of frames in each fragment. */
function frameCounts(bytes: Buffer): number[] {
  const counts: number[] = []
  for (let at = bytes.indexOf('trun'); at >= 0 && at + 12 <= bytes.length; at = bytes.indexOf('trun', at + 4))
    counts.push(bytes.readUInt32BE(at + 8))
  return counts
}

/** The duration of the first sample: its own, or the default of the fragment. */
function sampleDuration(bytes: Buffer, tfhd: number): number | null {
  const flags = bytes.readUIntBE(tfhd + 5, 3)
  const defaultAt = tfhd + 12 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)
  const trun = bytes.indexOf('trun', tfhd)
  const runFlags = trun < 0 ? 0 : bytes.readUIntBE(trun + 5, 3)
  const at = trun + 12 + (runFlags & 1 ? 4 : 0) + (runFlags & 4 ? 4 : 0)
  if (runFlags & 0x100) return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : null
  return flags & 8 ? bytes.readUInt32BE(defaultAt) : null
}

const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (value > 0) buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([uint(8 + body.length, 4), Buffer.from(type), body])
}

const sampleEntry = (type: string, channels: number, rate: Rate, config: Buffer): Buffer =>
  box(
    type,
    uint(0, 6),
    uint(1, 2),
    uint(0, 8),
    uint(channels, 2),
    uint(16, 2),
    uint(0, 4),
    uint(rate, 2),
    uint(0, 2),
    config,
  )

/** ISO 14496-1: an ES descriptor with the configuration of AAC-LC. */
function aacConfig(channels: number, rate: Rate): Buffer {
  const descriptor = (tag: number, ...content: Buffer[]) => {
    const body = Buffer.concat(content)
    return Buffer.concat([uint(tag, 1), uint(body.length, 1), body])
  }
  const [objectType, rateIndex] = [2, rate === RATE ? 3 : 4]
  const specific = descriptor(5, uint((objectType << 11) | (rateIndex << 7) | (channels << 3), 2))
  const decoder = descriptor(4, uint(0x40, 1), uint(0x15, 1), uint(0, 11), specific)
  return descriptor(3, uint(0, 3), decoder, descriptor(6, uint(2, 1)))
}

function headerOf(trackId: number, rate: Rate, entry: Buffer): Buffer {
  const matrix = Buffer.concat(
    [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map((value) => uint(value, 4)),
  )
  const tables = ['stts', 'stsc', 'stco'].map((type) => box(type, uint(0, 8)))
  const stbl = box('stbl', box('stsd', uint(0, 4), uint(1, 4), entry), ...tables, box('stsz', uint(0, 12)))
  const dinf = box('dinf', box('dref', uint(0, 4), uint(1, 4), box('url ', uint(1, 4))))
  const media = box(
    'mdia',
    box('mdhd', uint(0, 12), uint(rate, 4), uint(0, 4), uint(0x55c4, 2), uint(0, 2)),
    box('hdlr', uint(0, 8), Buffer.from('soun'), uint(0, 13)),
    box('minf', box('smhd', uint(0, 8)), dinf, stbl),
  )
  const track = box('tkhd', uint(3, 4), uint(0, 8), uint(trackId, 4), uint(0, 24), matrix, uint(0, 8))
  const movie = box(
    'mvhd',
    uint(0, 12),
    uint(1_000, 4),
    uint(0, 4),
    uint(0x10000, 4),
    uint(0x100, 2),
    uint(0, 10),
    matrix,
    uint(0, 24),
    uint(trackId + 1, 4),
  )
  const defaults = box('mvex', box('trex', uint(0, 4), uint(trackId, 4), uint(1, 4), uint(0, 12)))
  return Buffer.concat([
    box('ftyp', Buffer.from('isom'), uint(0, 4), Buffer.from('isomiso6')),
    box('moov', movie, box('trak', track, media), defaults),
  ])
}
