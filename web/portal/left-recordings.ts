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
}

export async function findLeftRecordings(
  outbox: OverflowingOutbox,
  projectId: string,
): Promise<LeftRecordings> {
  const all = (await outbox.recordings()).filter((one) => one.projectId === projectId)
  const left: LeftRecordings = { found: [], taken: [] }
  // At the same time: each waits a moment for the page before this one to end.
  const areClaimed = await Promise.all(all.map((one) => claimRecording(one.id)))
  for (const [index, one] of all.entries()) {
    const found = areClaimed[index] ? await contentOf(outbox, one) : null
    if (found) left.found.push(found)
    if (!areClaimed[index]) left.taken.push(one)
  }
  left.found.sort((a, b) => b.recording.startedAt - a.recording.startedAt)
  return left
}

/** Null if it is empty; it is removed then. */
async function contentOf(outbox: OverflowingOutbox, recording: Recording): Promise<LeftRecording | null> {
  const recordedMs = lengthOf(await outbox.chunks(recording.id))
  if (recordedMs > 0 || recording.text !== null || recording.draft?.trim()) return { recording, recordedMs }
  await outbox.remove(recording.id)
  return null
}

/** Offers what is left: the newest now, the others afterwards, and those of other tabs when these are closed. */
export function offerLeftRecordings(app: App, { found, taken }: LeftRecordings): void {
  for (const left of found) offer(app, left)
  for (const one of taken) void offerWhenFree(app, one)
}

async function offerWhenFree(app: App, { id }: Recording): Promise<void> {
  await claimRecording(id, null)
  const recording = (await app.outbox.recordings()).find((one) => one.id === id)
  const left = recording ? await contentOf(app.outbox, recording) : null
  if (left) offer(app, left)
}

function offer(app: App, left: LeftRecording): void {
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
