import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMemoryOutbox } from './outbox/memory.ts'
import { newRecording, type Recording } from './outbox/outbox.ts'
import { fakeServer } from './outbox/testing/fake-server.ts'
import { withOverflow } from './outbox/with-overflow.ts'
import { Session } from './session.ts'

/** The session of a recording that an earlier page left, with the texts that it sends. */
async function reopen(t: TestContext, left: Partial<Recording>) {
  const server = fakeServer(t)
  Object.assign(globalThis, { document: new EventTarget() })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const recording = { ...newRecording('p', {}), ...left }
  const session = await Session.reopen(withOverflow(createMemoryOutbox()), recording)
  t.after(() => session.dispose())
  const texts = () =>
    server.requests
      .filter(({ path }) => path.endsWith('/text'))
      .map(({ body, key }) => [JSON.parse(body).content, key])
  return { server, session, texts }
}

const unsentText = { text: 'More trees.', textKey: 'before', isFinished: true }

test('a text that is changed before it was sent is sent only once, as it is in the end', async (t) => {
  const { server, session, texts } = await reopen(t, unsentText)
  await server.pass(5_000)
  assert.deepEqual(texts(), [])
  await session.finish('More trees, please.')
  await server.pass(1_000)
  assert.deepEqual(
    texts().map(([text]) => text),
    ['More trees, please.'],
  )
  assert.equal(session.state.sending.kind, 'finished')
})

test('a text that was not changed keeps its key, so that the server stores it once', async (t) => {
  const { server, session, texts } = await reopen(t, unsentText)
  await session.finish('More trees.')
  await server.pass(1_000)
  assert.deepEqual(texts(), [['More trees.', 'before']])
})

test('a text that was removed before it was sent is not sent', async (t) => {
  const { server, session, texts } = await reopen(t, unsentText)
  await session.finish(null)
  await server.pass(1_000)
  assert.deepEqual(texts(), [])
  assert.equal(session.state.sending.kind, 'finished')
})

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
  await session.finish(null)
  await server.pass(1_000)
  assert.deepEqual([hasWarned, session.hasUnsent], [false, false])
})
