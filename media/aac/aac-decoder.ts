import type { DecodedAudio, PacketDecoder } from '../decode/packets/packet-decoder.ts'
import { BadFrame, BitReader } from './bit-reader.ts'
import type { ChannelStream } from './channel-stream.ts'
import { FilterBank } from './filter-bank.ts'
import { FRAME } from './layout.ts'
import { readRawBlock } from './raw-block.ts'
import { readAdtsHead, readStreamConfig, type StreamConfig } from './stream-config.ts'

/** Spectra are scaled for 16-bit samples. */
const FULL_SCALE = 32_768

/**
 * Decodes AAC-LC, which phones record, to mono. ADR 0022 says why this is own code. SBR and parametric
 * stereo, which add high frequencies and stereo width, are ignored. Null if the stream has another profile.
 */
export function openAacDecoder(description: Uint8Array): PacketDecoder | null {
  const config = configOf(description)
  return config && new AacDecoder(config)
}

/** For a stream whose packets have ADTS headers. `codec` is a name such as `mp4a.40.2`. */
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

/** The maximum number of damaged frames that become silence; more would only fill the memory. */
const MAX_LOST_FRAMES = 10_000

class AacDecoder implements PacketDecoder {
  readonly ready = Promise.resolve()
  readonly #banks: FilterBank[] = []
  /** Null if each packet has an ADTS header. */
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

  /** Missing and damaged packets become silence of their length once a good one follows, which thus keeps its time. */
  #decode(packet: Uint8Array): ChannelStream[][] {
    try {
      const good = this.#read(packet)
      const silent = Array<ChannelStream[]>(Math.min(this.#lost, MAX_LOST_FRAMES)).fill([])
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

  /** The overlap of the frame before a damaged one ends in the damaged one. */
  #synthesize(channels: ChannelStream[], sound: Float32Array, at: number): void {
    const scale = 1 / FULL_SCALE / Math.max(1, channels.length)
    for (const bank of this.#banks.slice(channels.length)) bank.end(sound, at, scale)
    for (const [index, { spectrum, layout }] of channels.entries()) {
      this.#banks[index] ??= new FilterBank()
      this.#banks[index].synthesize(spectrum, layout, sound, at, scale)
    }
  }
}
