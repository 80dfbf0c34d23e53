import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryOutbox } from './outbox/memory.ts'
import { newRecording } from './outbox/outbox.ts'
import { fakeServer } from './outbox/testing/fake-server.ts'
import { withOverflow } from './outbox/with-overflow.ts'
import { Session } from './session.ts'

test('the page can be closed without a warning when the server has everything and the audio is removed', async (t) => {
  const server = fakeServer(t)
  Object.assign(globalThis, { document: new EventTarget() })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const outbox = withOverflow(createMemoryOutbox())
  const recording = newRecording('p', {})
  const piece = { recordingId: recording.id, seq: 0, type: 'audio/webm', at: 0, durationMs: 5_000 }
  await outbox.addPiece({ ...piece, bytes: new ArrayBuffer(8) }, true)
  const session = await Session.reopen(outbox, recording)
  t.after(() => session.dispose())
  assert.equal(session.hasUnsent, true)
  let hasWarned: boolean | null = null
  session.onChange(() => {
    if (session.state.sending.kind !== 'finished' || hasWarned !== null) return
    hasWarned = session.hasUnsent
    // Its response comes when the audio is already removed.
    session.retry()
    session.dispose()
    void outbox.remove(recording.id)
  })
  await session.finish()
  await server.pass(1_000)
  assert.deepEqual([hasWarned, session.hasUnsent], [false, false])
})
