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
import { bytesIn, withAudioTrack } from './read-source-file.ts'
import type { Piece } from './source-file.ts'
import type { JointTrack } from './track-shape.ts'

/** Where a piece came to lie in the joint file. */
export interface Placed {
  piece: Piece
  startMs: number
  durationMs: number
}

/** What whoever reads is told. */
export interface Reading {
  /** Which piece is being read, again and again. */
  at(piece: Piece): void
  /** Why a piece, or its rest, is to be left out; throws what is no reason to. */
  leaveOut(error: unknown): void
}

/**
 * Writes the packets of all pieces in a row, as they are. A piece's own times are not used: packets follow each other by how
 * long they sound, as a decoder counts, so that neither a broken time stamp nor a pause moves what comes later.
 */
export async function copyPackets(
  pieces: Piece[],
  joint: JointTrack,
  target: string,
  reading: Reading,
): Promise<Placed[]> {
  await using file = await open(target, 'w')
  const disk: Disk = { fault: null }
  const output = new Output({ format: joint.format.make(), target: writingTo(file, disk) })
  const track = new EncodedAudioPacketSource(joint.codec)
  output.addAudioTrack(track)
  try {
    await output.start()
    const placed = await appendPieces(pieces, joint, { track, disk }, reading)
    await output.finalize()
    return placed
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** What it said last; packets fail for their own sake, too. */
interface Disk {
  fault: unknown
}

/** Its own target for paths leaves the file open when finishing fails, and takes a short write for a whole one. */
function writingTo(file: FileHandle, disk: Disk): StreamTarget {
  const write = async ({ data, position }: StreamTargetChunk) => {
    try {
      const { bytesWritten } = await file.write(data, 0, data.length, position)
      if (bytesWritten < data.length)
        throw Object.assign(new Error('the joint file could not be written'), { code: 'ENOSPC' })
    } catch (error) {
      disk.fault = error
      throw error
    }
  }
  return new StreamTarget(new WritableStream({ write }), { chunked: true, chunkSize: 2 ** 20 })
}

async function appendPieces(
  pieces: Piece[],
  { codec, config }: JointTrack,
  { track, disk }: { track: EncodedAudioPacketSource; disk: Disk },
  { at, leaveOut }: Reading,
): Promise<Placed[]> {
  const placed: Placed[] = []
  let clock = 0
  let seconds = 0
  for (const piece of pieces) {
    const start = clock
    at(piece)
    await eachPacket(piece, leaveOut, async (packet) => {
      at(piece)
      seconds = packetSeconds(codec, packet, seconds)
      const isTaken = await takes(
        track.add(packet.clone({ timestamp: clock, duration: seconds }), { decoderConfig: config }),
        disk,
      )
      if (isTaken) clock += seconds
    })
    placed.push({
      piece,
      startMs: Math.round(start * 1_000),
      durationMs: Math.round((clock - start) * 1_000),
    })
  }
  return placed
}

/** False: the writer makes no sense of the packet, as of an AAC frame of two bytes. It is left out. */
async function takes(adding: Promise<void>, disk: Disk): Promise<boolean> {
  try {
    await adding
    return true
  } catch (error) {
    if (disk.fault !== null) throw error
    return false
  }
}

/**
 * Packets of an intact file have fewer bytes than the file. The index of a hostile MP4 can name the same bytes thousands of times,
 * and would fill the disk.
 */
const MAX_PACKET_SHARE = 2

async function eachPacket(
  piece: Piece,
  leaveOut: Reading['leaveOut'],
  use: (packet: EncodedPacket) => Promise<void>,
): Promise<void> {
  const maxBytes = MAX_PACKET_SHARE * (await bytesIn(piece))
  await withAudioTrack(piece, async (track) => {
    if (!track) return
    let bytes = 0
    for await (const packet of readablePackets(new EncodedPacketSink(track), leaveOut)) {
      bytes += packet.data.length
      if (bytes > maxBytes) return
      await use(packet)
    }
  })
}

/** Up to where the bytes make no sense any more. */
async function* readablePackets(
  sink: EncodedPacketSink,
  leaveOut: Reading['leaveOut'],
): AsyncGenerator<EncodedPacket> {
  try {
    for await (const packet of sink.packets()) if (packet.data.length > 0) yield packet
  } catch (error) {
    // What was read so far is in the file, and its length tells how much that is.
    leaveOut(error)
  }
}
