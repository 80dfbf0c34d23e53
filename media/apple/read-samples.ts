import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { openAacDecoder } from '../aac/aac-decoder.ts'
import { FRAME } from '../aac/layout.ts'
import { sampleOf } from '../decode/g711.ts'
import { MAX_CHANNELS } from '../decode/limits.ts'
import type { DecodedAudio } from '../decode/packets/packet-decoder.ts'
import type { SkipRange } from '../decode/packets/track-packets.ts'
import { type AppleFile, isAac, isPcm, type PcmLayout, readAt } from './apple-file.ts'

type PcmFile = Extract<AppleFile, { layout: PcmLayout }>
type AacFile = Extract<AppleFile, { config: Uint8Array }>

/** The decoded audio after the skipped range; null if its codec needs ffmpeg or its header is impossible. */
export function readApple(
  path: string,
  file: AppleFile,
  range: SkipRange,
): AsyncGenerator<DecodedAudio> | null {
  if (isPcm(file)) return isSane(file) ? readPcm(path, file, range) : null
  return isAac(file) && openAacDecoder(file.config) ? readAac(path, file, range) : null
}

const isSane = ({ channels, layout: { bytes, isFloat } }: PcmFile): boolean =>
  channels >= 1 &&
  channels <= MAX_CHANNELS &&
  (isFloat ? bytes === 4 || bytes === 8 : bytes >= 1 && bytes <= 4)

async function* readPcm(path: string, file: PcmFile, range: SkipRange): AsyncGenerator<DecodedAudio> {
  const { rate, channels, layout } = file
  const frame = channels * layout.bytes
  const skipped = Math.min(Math.floor(Math.max(0, range.until) * rate), Math.floor(file.size / frame))
  range.skipped = skipped / rate
  const [start, end] = [file.offset + skipped * frame, file.offset + file.size]
  if (end <= start) return
  const read = readerOf(layout)
  let rest = Buffer.alloc(0)
  for await (const part of createReadStream(path, { start, end: end - 1 })) {
    const bytes = Buffer.concat([rest, part as Buffer])
    const samplesDecoded = Math.floor(bytes.length / frame)
    const channelData = Array.from({ length: channels }, (_, channel) =>
      Float32Array.from({ length: samplesDecoded }, (_, n) =>
        read(bytes, n * frame + channel * layout.bytes),
      ),
    )
    yield { channelData, samplesDecoded, sampleRate: rate }
    rest = bytes.subarray(samplesDecoded * frame)
  }
}

function readerOf({
  bytes: width,
  isFloat,
  isLittleEndian: isLittle,
  isUnsigned,
  law,
}: PcmLayout): (bytes: Buffer, at: number) => number {
  if (law) return (bytes, at) => sampleOf(law, bytes[at] ?? 0)
  if (isFloat && width === 4) return (bytes, at) => (isLittle ? bytes.readFloatLE(at) : bytes.readFloatBE(at))
  if (isFloat) return (bytes, at) => (isLittle ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at))
  if (isUnsigned) return (bytes, at) => ((bytes[at] ?? 0) - 128) / 128
  const full = 2 ** (8 * width - 1)
  return (bytes, at) => (isLittle ? bytes.readIntLE(at, width) : bytes.readIntBE(at, width)) / full
}

const BATCH_SIZE = 50

/** The encoder delay is decoded, and left out through the range. */
async function* readAac(path: string, file: AacFile, range: SkipRange): AsyncGenerator<DecodedAudio> {
  const decoder = openAacDecoder(file.config)
  if (!decoder) return
  const delay = file.delaySamples / file.rate
  const first = Math.max(0, Math.floor(((Math.max(0, range.until) + delay) * file.rate) / FRAME))
  range.skipped = (first * FRAME) / file.rate - delay
  for await (const packets of packetsOf(path, file, first)) {
    const decoded = await decoder.decodeFrames(packets)
    if (decoded.samplesDecoded > 0) yield decoded
  }
  decoder.free()
}

/** Packets in batches, from the given number on. */
export async function* packetsOf(
  path: string,
  { offset, packetBytes }: AacFile,
  first = 0,
): AsyncGenerator<Uint8Array[]> {
  await using file = await open(path)
  let at = offset + packetBytes.slice(0, first).reduce((sum, size) => sum + size, 0)
  for (let index = first; index < packetBytes.length; index += BATCH_SIZE) {
    const sizes = packetBytes.slice(index, index + BATCH_SIZE)
    const bytes = await readAt(
      file,
      at,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    let begin = 0
    const packets: Uint8Array[] = []
    for (const size of sizes) {
      packets.push(new Uint8Array(bytes.subarray(begin, begin + size)))
      begin += size
    }
    yield packets
    at += begin
  }
}
