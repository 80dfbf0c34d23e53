import { type FileHandle, open } from 'node:fs/promises'
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny'
import type { Container } from '../containers/container.ts'
import { withoutPreSkip } from '../decode/packets/opus-packets.ts'
import { openSourceFile } from './read-source-file.ts'
import { type SilentPacket, silentPacket } from './silent-packets.ts'
import type { SourceFile } from './source-file.ts'
import { type ReadCallbacks, timedPackets, withoutPadding } from './timed-packets.ts'
import { type JoinedTrack, joinedTrack, type TrackShape } from './track-shape.ts'

/** The position of a file within the joined file. */
interface PlacedFile {
  file: SourceFile
  startMs: number
  durationMs: number
}

export type Copied =
  | { kind: 'copied'; container: Container; placed: PlacedFile[] }
  /** Nothing was written: these files have audio, but cannot be copied into one track. */
  | { kind: 'mixed'; readable: SourceFile[] }
  | { kind: 'unreadable' }

/** Copies the packets of all readable files into one track, if the files are compatible. */
export async function copyCompatible(
  files: SourceFile[],
  target: string,
  callbacks: ReadCallbacks,
): Promise<Copied> {
  const readable: SourceFile[] = []
  const shapes: (TrackShape | null)[] = []
  for (const file of files) {
    callbacks.onRead(file)
    const shape = await shapeOf(file).catch(callbacks.onUnreadable)
    if (shape === undefined) continue
    readable.push(file)
    shapes.push(shape)
  }
  if (readable.length === 0) return { kind: 'unreadable' }
  const joined = joinedTrack(shapes)
  if (!joined) return { kind: 'mixed', readable }
  const placed = await copyPackets(readable, joined, target, callbacks)
  const audible = placed.filter(({ durationMs }) => durationMs > 0)
  if (audible.length === 0) return { kind: 'unreadable' }
  return { kind: 'copied', container: joined.format.container, placed: audible }
}

/** Null if the demuxer does not know the codec, such as ALAC; undefined if there is no audio. */
async function shapeOf(file: SourceFile): Promise<TrackShape | null | undefined> {
  using input = await openSourceFile(file)
  const track = await input.getPrimaryAudioTrack()
  if (!track) return undefined
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()]
  if (!codec) return null
  if (!config) return undefined
  return { codec, config: file.container === 'mp4' && codec === 'opus' ? withoutPreSkip(config) : config }
}

/** Silence that is added to one joined file at most: a few bytes can claim to begin days later. */
const MAX_SILENCE_SECONDS = 6 * 3_600

/**
 * Packets follow each other by their duration. A file begins at its `startMs`: silence fills the time before it, and the padding of
 * the file before it is dropped.
 */
async function copyPackets(
  files: SourceFile[],
  { codec, config, format }: JoinedTrack,
  target: string,
  callbacks: ReadCallbacks,
): Promise<PlacedFile[]> {
  await using handle = await open(target, 'w')
  const disk: DiskState = { error: null }
  const output = new Output({ format: format.make(), target: writeTo(handle, disk) })
  const track = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(track)
  const placed: PlacedFile[] = []
  let clock = 0
  let silenceLeft = MAX_SILENCE_SECONDS
  const add = async ({ data, seconds }: SilentPacket, packet?: EncodedPacket) => {
    const timed = { timestamp: clock, duration: seconds }
    const next = packet?.clone(timed) ?? new EncodedPacket(data, 'key', clock, seconds)
    if (await isAccepted(track.add(next, { decoderConfig: config }), disk)) clock += seconds
  }
  const addSilence = async (until: number, like: SilentPacket | null) => {
    const silence = silentPacket(codec, config, like)
    const end = Math.min(until, clock + silenceLeft)
    silenceLeft -= Math.max(0, end - clock)
    let before = -1
    // Stops where the muxer rejects the packet.
    if (silence)
      for (; clock + silence.seconds / 2 <= end && clock > before; await add(silence)) before = clock
    else clock = Math.max(clock, end)
  }
  try {
    await output.start()
    for (const [index, file] of files.entries()) {
      let start: number | null = null
      const end = (files[index + 1]?.startMs ?? Number.POSITIVE_INFINITY) / 1_000
      for await (const part of withoutPadding(
        timedPackets(file, { codec, config }, callbacks),
        () => clock,
        end,
      )) {
        if (start === null) await addSilence((file.startMs ?? 0) / 1_000, part)
        start ??= clock
        if (part.packet) await add(part, part.packet)
        else await addSilence(clock + part.seconds, part)
      }
      start ??= clock
      const [startMs, durationMs] = [Math.round(start * 1_000), Math.round((clock - start) * 1_000)]
      placed.push({ file, startMs, durationMs })
    }
    await output.finalize()
    return placed
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** The last write error. Distinguishes a full disk from a packet that the muxer rejects. */
interface DiskState {
  error: unknown
}

/** Replaces mediabunny's own file target, which leaves the file open when finishing fails and accepts short writes. */
function writeTo(handle: FileHandle, disk: DiskState): StreamTarget {
  const write = async ({ data, position }: StreamTargetChunk) => {
    try {
      const { bytesWritten } = await handle.write(data, 0, data.length, position)
      if (bytesWritten < data.length)
        throw Object.assign(new Error('the joined file could not be written'), { code: 'ENOSPC' })
    } catch (error) {
      disk.error = error
      throw error
    }
  }
  return new StreamTarget(new WritableStream({ write }), { chunked: true, chunkSize: 2 ** 20 })
}

/** False if the muxer rejects the packet, for example an AAC frame of two bytes. The packet is skipped. */
const isAccepted = (adding: Promise<void>, disk: DiskState): Promise<boolean> =>
  adding.then(
    () => true,
    (error: unknown) => {
      if (disk.error !== null) throw error
      return false
    },
  )
