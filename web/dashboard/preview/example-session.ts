import type { Session, SessionState } from '../../portal/session.ts'

const AT_MS = 154_000
const SENT_MS = 150_000

/** A recording that does not exist: it can be paused and continued, its time stands still, and nothing is sent. */
export function exampleSession(): Session {
  const listeners = new Set<() => void>()
  let phase: SessionState['phase'] = 'recording'
  const become = (next: SessionState['phase']) => () => {
    phase = next
    for (const listener of listeners) listener()
  }
  const example = {
    recording: {
      answers: {},
      started: { code: 'K7QM-2XRD', withdraw_url: `${location.origin}/p/receipt/withdraw` },
    },
    microphone: null,
    end: null,
    get state(): SessionState {
      return {
        phase,
        isMuted: false,
        problem: null,
        recordedMs: AT_MS,
        sentMs: SENT_MS,
        refusedMs: 0,
        lostMs: 0,
        chunks: 0,
        // The screen asks for the text of chunks that the server has.
        sentChunks: 0,
        sending: { kind: 'idle' },
        gapMs: null,
        isFull: false,
      }
    },
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pause: become('paused'),
    resume: become('recording'),
    stop: async () => {},
    dispose: () => {},
  }
  return example as unknown as Session
}
