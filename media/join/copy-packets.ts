import { type FileHandle, open } from 'node:fs/promises'
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny'
import { packetSeconds } from './packet-seconds.ts'
import { sizeOf, withAudioTrack } from './read-source-file.ts'
import type { SourceFile } from './source-file.ts'
import type { JoinedTrack } from './track-shape.ts'

/** Where a file lies in the joined file. */
export interface PlacedFile {
  file: SourceFile
  startMs: number
  durationMs: number
}

export interface ReadCallbacks {
  /** Called before a file and before each of its packets is read. */
  onRead(file: SourceFile): void
  /** Called with the reason why a file, or the rest of it, is skipped. Rethrows errors that must not skip it. */
  onUnreadable(error: unknown): void
}

/**
 * Writes the packets of all files one after the other, unchanged. Timestamps of the files are not used: packets follow each other
 * by their duration, as a decoder counts, so that neither a wrong timestamp nor a pause moves later audio.
 */
export async function copyPackets(
  files: SourceFile[],
  joined: JoinedTrack,
  target: string,
  callbacks: ReadCallbacks,
): Promise<PlacedFile[]> {
  await using handle = await open(target, 'w')
  const disk: DiskState = { error: null }
  const output = new Output({ format: joined.format.make(), target: writeTo(handle, disk) })
  const track = new EncodedAudioPacketSource(joined.codec)
  output.addAudioTrack(track)
  try {
    await output.start()
    const placed = await appendFiles(files, joined, { track, disk }, callbacks)
    await output.finalize()
    return placed
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** The last write error. It tells a full disk from a packet that the muxer rejects. */
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

async function appendFiles(
  files: SourceFile[],
  { codec, config }: JoinedTrack,
  { track, disk }: { track: EncodedAudioPacketSource; disk: DiskState },
  { onRead, onUnreadable }: ReadCallbacks,
): Promise<PlacedFile[]> {
  const placed: PlacedFile[] = []
  let clock = 0
  let seconds = 0
  for (const file of files) {
    const start = clock
    onRead(file)
    await eachPacket(file, onUnreadable, async (packet) => {
      onRead(file)
      seconds = packetSeconds(codec, packet, seconds)
      const isAccepted = await accepts(
        track.add(packet.clone({ timestamp: clock, duration: seconds }), { decoderConfig: config }),
        disk,
      )
      if (isAccepted) clock += seconds
    })
    placed.push({
      file,
      startMs: Math.round(start * 1_000),
      durationMs: Math.round((clock - start) * 1_000),
    })
  }
  return placed
}

/** False if the muxer rejects the packet, for example an AAC frame of two bytes. The packet is skipped. */
async function accepts(adding: Promise<void>, disk: DiskState): Promise<boolean> {
  try {
    await adding
    return true
  } catch (error) {
    if (disk.error !== null) throw error
    return false
  }
}

/**
 * The packets of an intact file have fewer bytes than the file. The index of a hostile MP4 can list the same bytes thousands of
 * times, and would fill the disk.
 */
const MAX_PACKET_SHARE = 2

async function eachPacket(
  file: SourceFile,
  onUnreadable: ReadCallbacks['onUnreadable'],
  use: (packet: EncodedPacket) => Promise<void>,
): Promise<void> {
  const maxBytes = MAX_PACKET_SHARE * (await sizeOf(file))
  await withAudioTrack(file, async (track) => {
    if (!track) return
    let bytes = 0
    for await (const packet of readablePackets(new EncodedPacketSink(track), onUnreadable)) {
      bytes += packet.data.length
      if (bytes > maxBytes) return
      await use(packet)
    }
  })
}

/** Packets up to the first damage. */
async function* readablePackets(
  sink: EncodedPacketSink,
  onUnreadable: ReadCallbacks['onUnreadable'],
): AsyncGenerator<EncodedPacket> {
  try {
    for await (const packet of sink.packets()) if (packet.data.length > 0) yield packet
  } catch (error) {
    onUnreadable(error)
  }
}
