import type { Container } from '../containers/container.ts'
import { copyPackets, type PlacedFile, type ReadCallbacks } from './copy-packets.ts'
import { withAudioTrack } from './read-source-file.ts'
import type { SourceFile } from './source-file.ts'
import { joinedTrack, shapeOf, type TrackShape } from './track-shape.ts'

export type Copied =
  | { kind: 'copied'; container: Container; placed: PlacedFile[] }
  /** Nothing was written: these files are readable, but cannot follow each other in one track. */
  | { kind: 'mixed'; readable: SourceFile[] }
  | { kind: 'unreadable' }

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
    const shape = await withAudioTrack(file, async (track) => track && shapeOf(track)).catch(
      callbacks.onUnreadable,
    )
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
