import { createReadStream } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { A_LAW, type Law, MU_LAW, sampleOf } from '../decode/g711.ts'
import { MAX_CHANNELS, MAX_SOURCE_RATE, MIN_SOURCE_RATE } from '../decode/limits.ts'
import { MediaFailure } from '../failure.ts'
import type { Pcm } from './audio-part.ts'

export interface WavFormat {
  isFloat: boolean
  /** The code of telephone recordings (G.711), with 8 bits per sample. */
  law?: Law
  channels: number
  rate: number
  /** Bytes of one sample of one channel. */
  bytes: number
}

const MAX_CHUNKS = 100
const MAX_SECONDS = 6 * 3_600
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const HEADER_BYTES = 44

/** Reads the header, and yields the samples from the given second on. */
export async function openWav(path: string, from = 0): Promise<Pcm & { duration: number }> {
  await using file = await open(path)
  const { format, data } = await readHead(file)
  const duration = Math.floor(data.size / (format.channels * format.bytes)) / format.rate
  if (duration > MAX_SECONDS) throw unreadable()
  const skipped = Math.min(data.size, Math.round(from * format.rate) * format.channels * format.bytes)
  const asked = { offset: data.offset + skipped, size: data.size - skipped }
  return { rate: format.rate, duration, samples: readSamples(path, format, asked) }
}

async function readHead(
  file: FileHandle,
): Promise<{ format: WavFormat; data: { offset: number; size: number } }> {
  const { size: fileSize } = await file.stat()
  let format: WavFormat | null = null
  let offset = 12
  for (let chunk = 0; chunk < MAX_CHUNKS && offset + 8 <= fileSize; chunk++) {
    const head = await readAt(file, offset, 8)
    const name = head.toString('latin1', 0, 4)
    // A recorder that was interrupted wrote no size, or one that is too large.
    const size = Math.min(head.readUInt32LE(4), fileSize - offset - 8)
    if (name === 'fmt ' && size >= 16) {
      format = wavFormatOf(await readAt(file, offset + 8, Math.min(size, 40)))
      if (!format) throw unreadable()
    }
    if (name === 'data' && format) {
      const isUnknown = head.readUInt32LE(4) === 0
      return { format, data: { offset: offset + 8, size: isUnknown ? fileSize - offset - 8 : size } }
    }
    offset += 8 + size + (size % 2)
  }
  throw unreadable()
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw unreadable()
  return buffer
}

/** The format in a `fmt ` chunk of at least 16 bytes; null if its samples cannot be read. */
export function wavFormatOf(chunk: Buffer): WavFormat | null {
  const code = chunk.readUInt16LE(0)
  const kind = code === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : code
  const isFloat = kind === FLOAT
  const [channels, rate, bytes] = [chunk.readUInt16LE(2), chunk.readUInt32LE(4), chunk.readUInt16LE(14) / 8]
  const law = kind === A_LAW || kind === MU_LAW ? kind : null
  const isKnown =
    law === null ? (isFloat ? [4, 8] : kind === 1 ? [1, 2, 3, 4] : []).includes(bytes) : bytes === 1
  const isSane =
    channels >= 1 && channels <= MAX_CHANNELS && rate >= MIN_SOURCE_RATE && rate <= MAX_SOURCE_RATE
  if (!isKnown || !isSane) return null
  return { isFloat, channels, rate, bytes, ...(law !== null && { law }) }
}

const unreadable = (): MediaFailure =>
  new MediaFailure('unreadable', 'The recording is not a readable WAV file.')

async function* readSamples(
  path: string,
  format: WavFormat,
  { offset, size }: { offset: number; size: number },
): AsyncGenerator<Float32Array> {
  if (size === 0) return
  const frame = format.channels * format.bytes
  let rest = Buffer.alloc(0)
  for await (const part of createReadStream(path, { start: offset, end: offset + size - 1 })) {
    const bytes = Buffer.concat([rest, part as Buffer])
    const whole = bytes.length - (bytes.length % frame)
    yield monoOf(bytes.subarray(0, whole), format)
    rest = bytes.subarray(whole)
  }
}

function monoOf(bytes: Buffer, { channels, bytes: width, isFloat, law }: WavFormat): Float32Array {
  const read = law ? (bytes: Buffer, at: number) => sampleOf(law, bytes[at] ?? 0) : readerOf(width, isFloat)
  const mono = new Float32Array(bytes.length / (channels * width))
  for (let index = 0; index < mono.length; index++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++)
      sum += read(bytes, (index * channels + channel) * width)
    mono[index] = sum / channels
  }
  return mono
}

function readerOf(width: number, isFloat: boolean): (bytes: Buffer, at: number) => number {
  if (isFloat)
    return width === 4 ? (bytes, at) => bytes.readFloatLE(at) : (bytes, at) => bytes.readDoubleLE(at)
  // Only 8-bit samples are unsigned.
  if (width === 1) return (bytes, at) => ((bytes[at] ?? 0) - 128) / 128
  const full = 2 ** (8 * width - 1)
  return (bytes, at) => bytes.readIntLE(at, width) / full
}

export function wavHeader(dataBytes: number, { channels, rate, bytes, isFloat, law }: WavFormat): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('RIFF', 0)
  header.writeUInt32LE((HEADER_BYTES - 8 + dataBytes) % 2 ** 32, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(law ?? (isFloat ? FLOAT : 1), 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channels * bytes, 28)
  header.writeUInt16LE(channels * bytes, 32)
  header.writeUInt16LE(8 * bytes, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}

/** 16 bits, one channel. Only the service's own account can read the file. */
export async function writeWav(path: string, samples: Int16Array, rate: number): Promise<void> {
  const header = wavHeader(samples.byteLength, { channels: 1, rate, bytes: 2, isFloat: false })
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  await writeFile(path, Buffer.concat([header, data]), { mode: 0o600 })
}

/** How many 16-bit samples a file of this size can hold. */
export const samplesWithin = (bytes: number): number => Math.floor((bytes - HEADER_BYTES) / 2)
