import type { DecodedAudio, PacketDecoder } from '../decode/packet-decoder.ts'
import { BadFrame, BitReader } from './bit-reader.ts'
import type { ChannelStream } from './channel-stream.ts'
import { FilterBank } from './filter-bank.ts'
import { FRAME } from './layout.ts'
import { readRawBlock } from './raw-block.ts'
import { readAdtsHead, readStreamConfig, type StreamConfig } from './stream-config.ts'

/** Spectra are made for samples of 16 bits. */
const FULL_SCALE = 32_768

/**
 * AAC of low complexity, which phones record, to mono. Written here, since the only decoder on npm is under the GPL: of what
 * speech needs nothing is missing (SBR and parametric stereo, which add highs and width to a core, are left out). Null: the
 * stream is of another kind.
 */
export function openAacDecoder(description: Uint8Array): PacketDecoder | null {
  const config = configOf(description)
  return config && new AacDecoder(config)
}

/** Of a stream that is described by each of its packets, and to browsers by a name such as `mp4a.40.2`. */
export const openAdtsDecoder = (codec: string): PacketDecoder | null =>
  /\.40\.(?:2|5|29)$/.test(codec) ? new AacDecoder(null) : null

function configOf(description: Uint8Array): StreamConfig | null {
  try {
    return readStreamConfig(description)
  } catch (error) {
    if (error instanceof BadFrame) return null
    throw error
  }
}

/** Frames that can't be decoded are so many at most; more of them would only fill the memory. */
const MOST_LOST = 10_000

class AacDecoder implements PacketDecoder {
  readonly ready = Promise.resolve()
  readonly #banks: FilterBank[] = []
  /** Null: each packet has a head of its own. */
  readonly #described: StreamConfig | null
  #sampleRate: number
  #lost = 0
  #errors: BadFrame[] = []

  constructor(described: StreamConfig | null) {
    this.#described = described
    this.#sampleRate = described?.sampleRate ?? 0
  }

  decodeFrames(packets: Uint8Array[]): DecodedAudio {
    this.#errors = []
    const frames = packets.flatMap((packet) => this.#decode(packet))
    const sound = new Float32Array(frames.length * FRAME)
    for (const [index, channels] of frames.entries()) this.#synthesize(channels, sound, index * FRAME)
    const sampleRate = this.#sampleRate
    return { channelData: [sound], samplesDecoded: sound.length, sampleRate, errors: this.#errors }
  }

  free(): void {}

  /** What is missing or damaged becomes silence of its length when a good one follows: that one keeps its time. */
  #decode(packet: Uint8Array): ChannelStream[][] {
    try {
      const good = this.#read(packet)
      const silent = Array<ChannelStream[]>(Math.min(this.#lost, MOST_LOST)).fill([])
      this.#lost = 0
      return [...silent, good]
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error
      this.#lost++
      this.#errors.push(error)
      return []
    }
  }

  #read(packet: Uint8Array): ChannelStream[] {
    const head = this.#described ? { config: this.#described, bytes: 0 } : readAdtsHead(packet)
    if (!head) throw new BadFrame('no head')
    const channels = readRawBlock(new BitReader(packet, head.bytes), head.config.rateIndex)
    this.#sampleRate = head.config.sampleRate
    return channels
  }

  /** What sounds on from the frame before a damaged one ends in that one, and not behind it. */
  #synthesize(channels: ChannelStream[], sound: Float32Array, at: number): void {
    const scale = 1 / FULL_SCALE / Math.max(1, channels.length)
    for (const bank of this.#banks.slice(channels.length)) bank.end(sound, at, scale)
    for (const [index, { spectrum, layout }] of channels.entries()) {
      this.#banks[index] ??= new FilterBank()
      this.#banks[index].synthesize(spectrum, layout, sound, at, scale)
    }
  }
}
