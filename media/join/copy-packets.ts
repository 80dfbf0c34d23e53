import { type FileHandle, open } from 'node:fs/promises'
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny'
import type { Container } from '../containers/container.ts'
import { opusSeconds } from '../decode/opus-packets.ts'
import { openSourceFile, sizeOf } from './read-source-file.ts'
import type { SourceFile } from './source-file.ts'
import { type JoinedTrack, joinedTrack, type TrackShape } from './track-shape.ts'

/** Where a file lies in the joined file. */
interface PlacedFile {
  file: SourceFile
  startMs: number
  durationMs: number
}

export type Copied =
  | { kind: 'copied'; container: Container; placed: PlacedFile[] }
  /** Nothing was written: these files are readable, but cannot follow each other in one track. */
  | { kind: 'mixed'; readable: SourceFile[] }
  | { kind: 'unreadable' }

export interface ReadCallbacks {
  /** Called before a file and before each of its packets is read. */
  onRead(file: SourceFile): void
  /** Called with the reason why a file, or the rest of it, is skipped. Rethrows errors that must not skip it. */
  onUnreadable(error: unknown): void
}

/** Copies the packets of all readable files into one track, if the files are compatible. */
export async function copyCompatible(
  files: SourceFile[],
  target: string,
  callbacks: ReadCallbacks,
): Promise<Copied> {
  const readable: SourceFile[] = []
  const shapes: TrackShape[] = []
  for (const file of files) {
    callbacks.onRead(file)
    const shape = await shapeOf(file).catch(callbacks.onUnreadable)
    if (!shape) continue
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

async function shapeOf(file: SourceFile): Promise<TrackShape | null> {
  using input = await openSourceFile(file)
  const track = await input.getPrimaryAudioTrack()
  const [codec, config] = [await track?.getCodec(), await track?.getDecoderConfig()]
  return codec && config ? { codec, config } : null
}

/** Packets follow each other by their duration: neither a wrong timestamp nor a pause moves later audio. */
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
  let seconds = 0
  try {
    await output.start()
    for (const file of files) {
      const start = clock
      for await (const packet of packetsOf(file, callbacks)) {
        // WebM rounds the duration to milliseconds and omits it for the last packet; Opus packets state it themselves.
        seconds = codec === 'opus' ? opusSeconds(packet.data) : packet.duration || seconds
        const timed = packet.clone({ timestamp: clock, duration: seconds })
        if (await isAccepted(track.add(timed, { decoderConfig: config }), disk)) clock += seconds
      }
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

/** An intact file has fewer bytes of packets than its size. The index of a hostile MP4 can list the same bytes thousands of times. */
const MAX_PACKET_SHARE = 2

/** Packets up to the first damage. */
async function* packetsOf(
  file: SourceFile,
  { onRead, onUnreadable }: ReadCallbacks,
): AsyncGenerator<EncodedPacket> {
  onRead(file)
  let bytesLeft = MAX_PACKET_SHARE * (await sizeOf(file))
  using input = await openSourceFile(file)
  const track = await input.getPrimaryAudioTrack()
  if (!track) return
  try {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      bytesLeft -= packet.data.length
      if (bytesLeft < 0) return
      if (packet.data.length === 0) continue
      onRead(file)
      yield packet
    }
  } catch (error) {
    onUnreadable(error)
  }
}
