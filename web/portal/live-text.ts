import { type Credentials, readProgress } from './api.ts'
import type { Session } from './session.ts'

/** While words arrive. A chunk has five seconds, so more often would show nothing new. */
const FIRST_MS = 4_000
/** The longest interval, in silence, or where the engine gives no text during the recording. */
const MAX_MS = 30_000

/** The mark of the API is an English word; dots are understood in every language. */
const UNCLEAR = '[unclear]'
const ELLIPSIS = '[…]'

/** Grows by half each time that nothing is new. */
export const nextPause = (pauseMs: number, isNew: boolean): number =>
  isNew ? FIRST_MS : Math.min(MAX_MS, pauseMs * 1.5)

/** Whether there is someone to read it, and something that can be new. */
const isWanted = ({ state, recording }: Session, hasAll: boolean): boolean =>
  recording.started !== null &&
  state.sentChunks > 0 &&
  state.sending.kind !== 'waiting' &&
  (state.phase === 'recording' || !hasAll)

/** Calls back with the end of what was transcribed, until the returned function is called. */
export function followText(session: Session, onText: (text: string) => void): () => void {
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = FIRST_MS
  let shown = ''
  /** The recording is paused, and its last words have arrived. */
  let hasAll = false

  async function ask(by: Credentials): Promise<void> {
    const progress = await readProgress(by).catch(() => null)
    const text = progress?.transcript_so_far.replaceAll(UNCLEAR, ELLIPSIS) ?? shown
    const isNew = text !== shown
    shown = text
    pauseMs = nextPause(pauseMs, isNew)
    hasAll = session.state.phase !== 'recording' && !isNew
    if (isNew && !over.signal.aborted) onText(text)
  }

  async function poll(): Promise<void> {
    timer = undefined
    const { started } = session.recording
    if (started && isWanted(session, hasAll)) await ask(started)
    else pauseMs = FIRST_MS
    schedule(pauseMs)
  }

  /** A hidden page has no timer. */
  function schedule(ms: number): void {
    if (!over.signal.aborted && !document.hidden) timer ??= setTimeout(() => void poll(), ms)
  }

  const onVisibility = () => {
    clearTimeout(timer)
    timer = undefined
    schedule(0)
  }
  document.addEventListener('visibilitychange', onVisibility, { signal: over.signal })
  schedule(pauseMs)
  return () => {
    over.abort()
    clearTimeout(timer)
  }
}
