import { RATES } from './bands.ts'
import { BitReader } from './bit-reader.ts'

/** What must be known to read a stream's frames. */
export interface StreamConfig {
  /** Of the core, which carries up to half of it: what SBR adds above is not speech. */
  sampleRate: number
  /** The place in `RATES` whose bands it uses. */
  rateIndex: number
}

const LOW_COMPLEXITY = 2
/** Both add to a core of another type. */
const SPECTRAL_BAND_REPLICATION = 5
const PARAMETRIC_STEREO = 29
const ESCAPE_TYPE = 31
const ESCAPE_RATE = 15

/** From an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). Null: it is of a type that is not decoded here. */
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

/** A rate of its own uses the bands of the standard's nearest one. */
function ownRate(sampleRate: number): StreamConfig {
  const distance = (rate: number): number => Math.abs(Math.log(rate / sampleRate))
  const rateIndex = RATES.reduce(
    (best, rate, index) => (distance(rate) < distance(RATES[best] as number) ? index : best),
    0,
  )
  return { sampleRate, rateIndex }
}

/** The head that each frame of ADTS has. */
export interface AdtsHead {
  config: StreamConfig
  /** Of the head itself. */
  bytes: number
  /** Of the frame with its head, in bytes. */
  length: number
}

/** Null: there is none, or one of a type that is not decoded here. */
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
