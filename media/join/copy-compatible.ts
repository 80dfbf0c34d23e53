import type { Container } from '../containers/container.ts'
import { copyPackets, type Placed, type Reading } from './copy-packets.ts'
import { withAudioTrack } from './read-source-file.ts'
import type { Piece } from './source-file.ts'
import { type JointTrack, jointTrack, shapeOf, type TrackShape } from './track-shape.ts'

export type Copied =
  | { kind: 'copied'; container: Container; placed: Placed[] }
  /** Nothing was written: these, which could be read, can't follow each other in one track. */
  | { kind: 'mixed'; readable: Piece[] }
  | { kind: 'unreadable' }

interface ReadablePiece {
  piece: Piece
  shape: TrackShape
}

export async function copyAlike(pieces: Piece[], target: string, reading: Reading): Promise<Copied> {
  const readable = await readablePieces(pieces, reading)
  if (readable.length === 0) return { kind: 'unreadable' }
  const joint = jointTrack(readable.map(({ shape }) => shape))
  const kept = readable.map(({ piece }) => piece)
  return joint ? copy(kept, joint, target, reading) : { kind: 'mixed', readable: kept }
}

async function copy(pieces: Piece[], joint: JointTrack, target: string, reading: Reading): Promise<Copied> {
  const placed = await copyPackets(pieces, joint, target, reading)
  const sounding = placed.filter(({ durationMs }) => durationMs > 0)
  if (sounding.length === 0) return { kind: 'unreadable' }
  return { kind: 'copied', container: joint.format.container, placed: sounding }
}

async function readablePieces(pieces: Piece[], { at, leaveOut }: Reading): Promise<ReadablePiece[]> {
  const readable: ReadablePiece[] = []
  for (const piece of pieces) {
    at(piece)
    const shape = await withAudioTrack(piece, async (track) => track && shapeOf(track)).catch(leaveOut)
    if (shape) readable.push({ piece, shape })
  }
  return readable
}
