import type { App } from './app.ts'
import { claimRecording } from './outbox/claim.ts'
import { newRecording, type Recording } from './outbox/outbox.ts'

const SAVE_MS = 300

/** Where a text is kept while it is written: with the recording that it belongs to, or on its own. On a shared device only the former. */
function draftOf(app: App): Recording | null {
  if (app.session) return app.session.recording
  if (!app.draft && !app.isKiosk) {
    app.draft = newRecording(app.project.id, app.answers)
    void claimRecording(app.draft.id, null)
  }
  return app.draft
}

/** Keeps what is typed on this device, so that a reload loses nothing. Call `flush` when the text field is left. */
export function draftKeeper(app: App) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const recording = draftOf(app)
    if (!recording) return
    recording.draft = app.text
    void app.outbox.save(recording)
  }
  return {
    flush,
    /** The text has changed. */
    keep: (): void => {
      timer ??= setTimeout(flush, SAVE_MS)
    },
  }
}
