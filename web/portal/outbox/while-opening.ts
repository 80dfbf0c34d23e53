import type { OverflowingOutbox } from './with-overflow.ts'

/** An outbox that can be used before the browser has opened its storage, which takes a slow phone longer than the first screen. */
export function whileOpening(opening: Promise<OverflowingOutbox>): OverflowingOutbox {
  let opened: OverflowingOutbox | null = null
  void opening.then((outbox) => {
    opened = outbox
  })
  return {
    get isDurable() {
      return opened?.isDurable ?? true
    },
    get isFull() {
      return opened?.isFull ?? false
    },
    recordings: async () => (await opening).recordings(),
    save: async (recording) => (await opening).save(recording),
    addPiece: async (piece, beginsFile) => (await opening).addPiece(piece, beginsFile),
    chunks: async (recordingId) => (await opening).chunks(recordingId),
    audio: async (chunk) => (await opening).audio(chunk),
    markSent: async (chunk) => (await opening).markSent(chunk),
    removeSentAudio: async () => (await opening).removeSentAudio(),
    remove: async (recordingId) => (await opening).remove(recordingId),
    onClosed(listener) {
      const stop = opening.then((outbox) => outbox.onClosed(listener))
      return () => void stop.then((call) => call())
    },
  }
}
