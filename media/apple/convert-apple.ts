import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { readStreamConfig } from '../aac/stream-config.ts'
import type { Container } from '../containers/container.ts'
import { MAX_CHANNELS } from '../decode/limits.ts'
import { wavHeader } from '../split/wav.ts'
import { type AppleContainer, type AppleFile, isAac, isPcm } from './apple-file.ts'
import { openAppleFile } from './open-apple-file.ts'
import { packetsOf } from './read-samples.ts'

/**
 * Writes the audio of an AIFF or CAF file to `target` in a container that the joiner reads: samples as WAV, AAC with ADTS headers.
 * Null if it has another codec.
 */
export async function convertApple(
  path: string,
  container: AppleContainer,
  target: string,
): Promise<Container | null> {
  const file = await openAppleFile(path, container)
  if (file && isPcm(file) && file.channels >= 1 && file.channels <= MAX_CHANNELS && file.layout.bytes <= 8) {
    await writeTo(target, wavOf(path, file))
    return 'wav'
  }
  const config = file && isAac(file) ? readStreamConfig(file.config) : null
  if (!file || !isAac(file) || !config || file.channels > 2) return null
  await writeTo(target, adtsOf(path, file, config.rateIndex))
  return 'aac'
}

async function writeTo(target: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  await using handle = await open(target, 'w', 0o600)
  for await (const part of parts) await handle.writeFile(part)
}

async function* wavOf(
  path: string,
  { rate, channels, layout, offset, size }: Extract<AppleFile, { layout: object }>,
): AsyncGenerator<Uint8Array> {
  const { bytes: width, isFloat, isLittleEndian, isUnsigned, law } = layout
  yield wavHeader(size, { channels, rate, bytes: width, isFloat, ...(law && { law }) })
  if (size === 0) return
  let rest = Buffer.alloc(0)
  for await (const part of createReadStream(path, { start: offset, end: offset + size - 1 })) {
    const bytes = Buffer.concat([rest, part as Buffer])
    const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % width)))
    rest = bytes.subarray(whole.length)
    if (!isLittleEndian && width > 1)
      for (let at = 0; at < whole.length; at += width) whole.subarray(at, at + width).reverse()
    // WAV has unsigned samples of one byte.
    if (width === 1 && !isUnsigned && !law)
      for (const [at, value] of whole.entries()) whole[at] = value ^ 0x80
    yield whole
  }
}

const ADTS_BYTES = 7

/** ISO 13818-7: each frame gets a header without a checksum. */
async function* adtsOf(
  path: string,
  file: Extract<AppleFile, { config: Uint8Array }>,
  rateIndex: number,
): AsyncGenerator<Uint8Array> {
  for await (const packets of packetsOf(path, file))
    for (const packet of packets) {
      const length = packet.length + ADTS_BYTES
      const header = Buffer.alloc(ADTS_BYTES)
      header.writeUInt16BE(0xfff1, 0)
      header[2] = (1 << 6) | (rateIndex << 2) | (file.channels >> 2)
      header[3] = ((file.channels & 3) << 6) | (length >> 11)
      header[4] = (length >> 3) & 0xff
      header[5] = ((length & 7) << 5) | 0x1f
      header[6] = 0xfc
      yield Buffer.concat([header, packet])
    }
}
