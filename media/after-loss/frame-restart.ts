import { FRAMES, hasFrames } from '../containers/frame-headers.ts'
import type { RestartRule } from './restart-point.ts'

/** This many frames of the same kind do not follow each other by chance. */
const CHAIN_LENGTH = 4
/** The first byte of every frame. */
const MARK = 0xff

/** Frames have headers of their own, so that the stream needs none. They do not state their time. */
const frameRestart = (container: 'mp3' | 'aac'): RestartRule => {
  const find = (bytes: Buffer): number | null => {
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1))
      if (hasFrames(bytes, at, FRAMES[container], CHAIN_LENGTH)) return at
    return null
  }
  return {
    container,
    headerEnd: () => null,
    find(bytes) {
      const at = find(bytes)
      return at === null ? null : { at, startMs: null }
    },
    guessHeader: (bytes) => (find(bytes) === null ? null : Buffer.alloc(0)),
  }
}

export const mp3Restart: RestartRule = frameRestart('mp3')
export const adtsRestart: RestartRule = frameRestart('aac')
