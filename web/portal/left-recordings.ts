import type { App, LeftRecording } from './app.ts'
import { claimRecording } from './outbox/claim.ts'
import { lengthOf, type Recording } from './outbox/outbox.ts'
import type { OverflowingOutbox } from './outbox/with-overflow.ts'
import { Session } from './session.ts'

/** Recordings of a project that earlier visits left on this device. */
export interface LeftRecordings {
  /** The newest first. */
  found: LeftRecording[]
  /** Other tabs have these open, or crashed so recently that the browser has not noticed. */
  taken: Recording[]
  /** The device has lost all audio of these. */
  lost: Recording[]
}

export async function findLeftRecordings(
  outbox: OverflowingOutbox,
  projectId: string,
): Promise<LeftRecordings> {
  const all = (await outbox.recordings()).filter((one) => one.projectId === projectId)
  const left: LeftRecordings = { found: [], taken: [], lost: [] }
  // At the same time: each waits a moment for the page before this one to end.
  const areClaimed = await Promise.all(all.map((one) => claimRecording(one.id)))
  for (const [index, one] of all.entries()) {
    if (!areClaimed[index]) left.taken.push(one)
    else {
      const found = await contentOf(outbox, one)
      if (found) left.found.push(found)
      else left.lost.push(one)
    }
  }
  left.found.sort((a, b) => b.recording.startedAt - a.recording.startedAt)
  return left
}

/** Null if it is empty. */
async function contentOf(outbox: OverflowingOutbox, recording: Recording): Promise<LeftRecording | null> {
  const recordedMs = lengthOf(await outbox.chunks(recording.id))
  const hasContent = recordedMs > 0 || recording.text !== null || recording.draft?.trim()
  return hasContent ? { recording, recordedMs } : null
}

/** Only a text that was not finished. */
export const isDraft = ({ recording, recordedMs }: LeftRecording): boolean =>
  recordedMs === 0 && recording.started === null && recording.text === null

/** Offers what is left: the newest now, the others afterwards, and those of other tabs when these are closed. */
export function offerLeftRecordings(app: App, { found, taken, lost }: LeftRecordings): void {
  for (const left of found) offer(app, left)
  for (const one of lost) endLost(app, one)
  for (const one of taken) void offerWhenFree(app, one)
}

async function offerWhenFree(app: App, { id }: Recording): Promise<void> {
  await claimRecording(id, null)
  const recording = (await app.outbox.recordings()).find((one) => one.id === id)
  if (!recording) return
  const left = await contentOf(app.outbox, recording)
  if (left) offer(app, left)
  else endLost(app, recording)
}

/** A shared device tells the server, and the host, that something was recorded. Its participant has seen that it is lost. */
function endLost(app: App, recording: Recording): void {
  if (app.isKiosk && recording.sealed > 0) void sendInBackground(app, { recording, recordedMs: 0 })
  else void app.outbox.remove(recording.id)
}

function offer(app: App, left: LeftRecording): void {
  // A text that someone has begun on the same device, but without `?kiosk`, is theirs to send.
  if (app.isKiosk && isDraft(left)) return
  if (app.isKiosk) return void sendInBackground(app, left)
  const isIdle = !app.session && (app.step === null || app.step === 'welcome' || app.step === 'closed')
  if (!isIdle || app.left) return void app.leftLater.push(left)
  app.left = left
  app.show('resume')
}

/** The person in front of a shared device is not the one who recorded. */
async function sendInBackground({ outbox, queue }: App, { recording }: LeftRecording): Promise<void> {
  const session = await Session.reopen(outbox, recording)
  await session.finish(recording.draft?.trim() || recording.text)
  queue.add(session)
}
