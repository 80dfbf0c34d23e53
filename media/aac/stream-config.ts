import { RATES } from './bands.ts'
import { BitReader } from './bit-reader.ts'

/** The configuration that is needed to read a stream's frames. */
export interface StreamConfig {
  /** The rate of the core without SBR, which adds frequencies above speech. */
  sampleRate: number
  /** The index in `RATES` whose bands it uses. */
  rateIndex: number
}

const LOW_COMPLEXITY = 2
/** Both extend a core of another type. */
const SPECTRAL_BAND_REPLICATION = 5
const PARAMETRIC_STEREO = 29
const ESCAPE_TYPE = 31
const ESCAPE_RATE = 15

/** Parses an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). Null if its type is not supported. */
export function readStreamConfig(description: Uint8Array): StreamConfig | null {
  const bits = new BitReader(description)
  const type = readObjectType(bits)
  const config = readRate(bits)
  bits.skip(4)
  const isExtended = type === SPECTRAL_BAND_REPLICATION || type === PARAMETRIC_STEREO
  if (isExtended) readRate(bits)
  const coreType = isExtended ? readObjectType(bits) : type
  const isShortFrame = bits.flag()
  return coreType === LOW_COMPLEXITY && !isShortFrame ? config : null
}

function readObjectType(bits: BitReader): number {
  const type = bits.read(5)
  return type === ESCAPE_TYPE ? 32 + bits.read(6) : type
}

function readRate(bits: BitReader): StreamConfig | null {
  const index = bits.read(4)
  if (index === ESCAPE_RATE) return ownRate(bits.read(24))
  const sampleRate = RATES[index]
  return sampleRate === undefined ? null : { sampleRate, rateIndex: index }
}

/** An explicit rate uses the bands of the nearest standard rate. */
function ownRate(sampleRate: number): StreamConfig {
  const distance = (rate: number): number => Math.abs(Math.log(rate / sampleRate))
  const rateIndex = RATES.reduce(
    (best, rate, index) => (distance(rate) < distance(RATES[best] as number) ? index : best),
    0,
  )
  return { sampleRate, rateIndex }
}

/** The header of each ADTS frame. */
export interface AdtsHead {
  config: StreamConfig
  /** Bytes of the header. */
  bytes: number
  /** Bytes of the frame with its header. */
  length: number
}

/** Null if there is no header, or its type is not supported. */
export function readAdtsHead(packet: Uint8Array): AdtsHead | null {
  const bits = new BitReader(packet)
  if (packet.length < 7 || bits.read(12) !== 0xfff) return null
  bits.skip(3)
  const hasChecksum = !bits.flag()
  const type = bits.read(2) + 1
  const config = readRate(bits)
  bits.skip(8)
  const length = bits.read(13)
  return type === LOW_COMPLEXITY && config ? { config, bytes: hasChecksum ? 9 : 7, length } : null
}
