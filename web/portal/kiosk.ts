import type { Queue } from './outbox/queue.ts'
import type { Session } from './session.ts'
import type { Step } from './steps.ts'

/** The part of the app that is used here. */
interface Kiosk {
  readonly step: Step | null
  readonly session: Session | null
  readonly text: string
  readonly queue: Queue
  show(step: Step): void
  restart(): Promise<void>
}

/** Longer than people need to read a screen, shorter than the next person waits. */
const IDLE_MS = 120_000
const CHECK_MS = 5_000

/** Nothing of this participant is recorded yet. Between two participants, the page reads again whether the project is open. */
const BEFORE: Step[] = ['welcome', 'closed', 'consent', 'about', 'microphone', 'text']

/**
 * Makes a shared device ready for the next person when this one has walked away: what was recorded is sent or waits to be sent, what
 * was only typed into a form is forgotten. A running recording is never ended: people in a conversation do not touch the screen.
 */
export function watchIdle(app: Kiosk): void {
  let touchedAt = performance.now()
  const touch = () => {
    touchedAt = performance.now()
  }
  for (const name of ['pointerdown', 'keydown', 'input']) addEventListener(name, touch, { capture: true })
  setInterval(() => {
    if (performance.now() - touchedAt < IDLE_MS) return
    touch()
    void leave(app)
  }, CHECK_MS)
}

async function leave(app: Kiosk): Promise<void> {
  const { session, step } = app
  if (step === null) return
  if (!session) return BEFORE.includes(step) ? app.restart() : undefined
  const isRecording = step === 'recording' && session.state.phase !== 'paused'
  if (isRecording || step === 'kept' || step === 'thanks') return
  if (step === 'sending') {
    app.queue.add(session)
    return app.restart()
  }
  await session.stop()
  await session.finish(app.text.trim() || null)
  app.show('sending')
}
