import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMemoryOutbox } from './memory.ts'
import { newRecording } from './outbox.ts'
import { createSender } from './sender.ts'
import { accept, fakeServer } from './testing/fake-server.ts'

/** A recording with some chunks, which is sent to a server in this process. */
async function startSending(t: TestContext, chunks: number) {
  const server = fakeServer(t)
  const outbox = createMemoryOutbox()
  const recording = newRecording('p', { tags: ['Trees'] })
  const record = async (): Promise<void> => {
    const piece = {
      recordingId: recording.id,
      seq: recording.sealed,
      type: 'audio/webm',
      at: 0,
      durationMs: 5_000,
    }
    await outbox.addPiece({ ...piece, bytes: new TextEncoder().encode(`audio ${piece.seq}`).buffer }, false)
    recording.sealed += 1
  }
  for (let seq = 0; seq < chunks; seq++) await record()
  const start = () => {
    const sender = createSender(outbox, recording, () => {})
    t.after(() => sender.stop())
    return sender
  }
  const unsent = async () =>
    (await outbox.chunks(recording.id)).filter(({ isSent }) => !isSent).map(({ seq }) => seq)
  return { server, outbox, recording, record, start, unsent }
}

const HOUR = 3_600_000

test('an hour without a network: retries grow with jitter, stay bounded, and all is sent afterwards', async (t) => {
  const { server, recording, record, start, unsent } = await startSending(t, 1)
  server.answer = () => 'lost'
  const sender = start()
  for (let minute = 0; minute < 60; minute++) {
    await record()
    sender.wake()
    await server.pass(HOUR / 60)
  }
  assert.equal(sender.state.kind, 'waiting')
  const times = server.requests.map(({ at }) => at)
  const pauses = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000)
  for (const [index, pause] of pauses.entries()) {
    const planned = Math.min(30, 2 ** index)
    assert.ok(pause >= 0.5 * planned && pause <= 1.5 * planned + 0.1, `pause ${index} is ${pause} s`)
  }
  assert.ok(times.length > 70 && times.length < 150, `${times.length} attempts`)
  assert.ok(new Set(pauses.slice(-20).map(Math.round)).size > 5, 'the pauses vary')
  assert.equal((await unsent()).length, 61)

  server.answer = accept
  recording.isFinished = true
  server.online()
  await server.pass(1_000)
  assert.equal(sender.state.kind, 'finished')
  assert.deepEqual(await unsent(), [])
  assert.deepEqual(server.received, [
    '/projects/p/conversations',
    ...Array.from({ length: 61 }, (_, seq) => `/conversations/c/chunks/${seq}`),
    '/conversations/c/finish',
  ])
})

test('audio stays unsent until the server has confirmed that it is stored', async (t) => {
  const { server, start, unsent } = await startSending(t, 2)
  server.answer = (request) => (request.path.endsWith('/chunks/1') ? { status: 503 } : accept(request))
  const sender = start()
  await server.pass(20_000)
  assert.deepEqual([await unsent(), sender.state.kind], [[1], 'waiting'])
})

for (const [asked, least, most] of [
  ['20', 20, 26],
  ['7200', 60, 76],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0.5, 1.6],
] as const)
  test(`waits ${least} to ${most} s after Retry-After: ${asked}`, async (t) => {
    const { server, start } = await startSending(t, 1)
    server.answer = () => ({ status: 429, headers: { 'retry-after': asked } })
    start()
    await server.pass(80_000)
    const [first, second] = server.requests
    const pause = ((second?.at ?? Number.NaN) - (first?.at ?? 0)) / 1_000
    assert.ok(pause >= least && pause <= most, `${pause} s`)
  })

test('a start whose response was lost is repeated as it was', async (t) => {
  const server = fakeServer(t)
  const answers = { tags: ['Trees'] }
  const recording = newRecording('p', answers)
  server.answer = () => 'lost'
  const sender = createSender(createMemoryOutbox(), recording, () => {})
  await server.pass(100)
  answers.tags.push('Light')
  await server.pass(20_000)
  sender.stop()
  const starts = new Set(server.requests.map(({ key, body }) => `${key} ${body}`))
  assert.deepEqual([...starts], [`${recording.id} {"tags":["Trees"]}`])
})

/** As the server refuses a chunk and misses it at the end. */
const refuseChunk =
  (seq: number, response: Exclude<ReturnType<typeof accept>, 'lost'>): typeof accept =>
  (request) => {
    if (request.path.endsWith(`/chunks/${seq}`)) return response
    const isFirstFinish = request.path.endsWith('/finish') && !request.body.includes('accept_missing')
    return isFirstFinish ? { status: 409, body: { code: 'chunks_missing', missing: [seq] } } : accept(request)
  }

for (const [name, status, body] of [
  ['too large', 413, { code: 'too_large' }],
  ['not audio', 415, { code: 'unsupported_media' }],
  ['invalid', 422, { code: 'invalid_input' }],
  ['forbidden by a proxy', 403, {}],
] as const)
  test(`a chunk that is ${name} holds up neither the others nor the end, and is sent by a retry`, async (t) => {
    const { server, recording, record, start, unsent } = await startSending(t, 3)
    server.answer = refuseChunk(1, { status, body })
    const sender = start()
    await server.pass(1_000)
    await record()
    sender.wake()
    await server.pass(1_000)
    assert.deepEqual([await unsent(), sender.state, [...sender.refused]], [[1], { kind: 'idle' }, [1]])
    assert.equal(server.requests.filter(({ path }) => path.endsWith('/chunks/1')).length, 1)

    Object.assign(recording, { isFinished: true, text: 'And trees.' })
    sender.retry()
    await server.pass(1_000)
    assert.deepEqual(sender.state, { kind: 'finished', missingMs: 5_000, isKept: true })
    assert.equal(recording.missingMs, 5_000)
    assert.deepEqual(server.received.slice(-2), ['/conversations/c/text', '/conversations/c/finish'])

    server.answer = accept
    sender.retry()
    assert.equal(sender.state.kind, 'sending')
    await server.pass(1_000)
    assert.deepEqual(sender.state, { kind: 'finished', missingMs: 0, isKept: false })
    assert.deepEqual([await unsent(), recording.missingMs], [[], undefined])
  })

test('a recording of which the server refuses everything is not finished', async (t) => {
  const { server, recording, start } = await startSending(t, 2)
  const rejection = { status: 415, body: { code: 'unsupported_media' } }
  server.answer = (request) => (request.path.includes('/chunks/') ? rejection : accept(request))
  recording.isFinished = true
  const sender = start()
  await server.pass(1_000)
  assert.deepEqual(sender.state, { kind: 'refused', code: 'unsupported_media' })
  assert.deepEqual(server.received, ['/projects/p/conversations'])
  server.answer = accept
  sender.retry()
  await server.pass(1_000)
  assert.equal(sender.state.kind, 'finished')
})

for (const [name, isKept, audio] of [
  ['has lost', false, async () => null],
  ['cannot read', true, () => Promise.reject(new DOMException('', 'NotReadableError'))],
] as const)
  test(`a chunk that the device ${name} counts as missing, and does not hold up the end`, async (t) => {
    const { server, outbox, recording, start } = await startSending(t, 3)
    const read = outbox.audio
    outbox.audio = (chunk) => (chunk.seq === 1 ? audio() : read(chunk))
    server.answer = refuseChunk(1, { status: 500 })
    recording.isFinished = true
    const sender = start()
    await server.pass(1_000)
    assert.deepEqual(sender.state, { kind: 'finished', missingMs: 5_000, isKept })
    assert.deepEqual([...sender.refused], [])
  })

test('a chunk of which the server has more counts as received', async (t) => {
  const { server, start, unsent } = await startSending(t, 2)
  server.answer = (request) =>
    request.path.endsWith('/chunks/0') ? { status: 409, body: { code: 'chunk_conflict' } } : accept(request)
  start()
  await server.pass(1_000)
  assert.deepEqual(await unsent(), [])
})

test('chunks that the server has lost since are sent again before the end', async (t) => {
  const { server, recording, start } = await startSending(t, 4)
  recording.isFinished = true
  let isRestored = false
  server.answer = (request) => {
    if (!request.path.endsWith('/finish') || isRestored) return accept(request)
    isRestored = true
    return { status: 409, body: { code: 'chunks_missing', missing: [2, 3] } }
  }
  const sender = start()
  await server.pass(1_000)
  assert.equal(sender.state.kind, 'finished')
  assert.deepEqual(server.received.slice(-3), [
    '/conversations/c/chunks/2',
    '/conversations/c/chunks/3',
    '/conversations/c/finish',
  ])
})

test('a recording that continues after its end is sent and ended again', async (t) => {
  const { server, recording, record, start, unsent } = await startSending(t, 1)
  recording.isFinished = true
  const sender = start()
  await server.pass(1_000)
  assert.equal(sender.state.kind, 'finished')
  recording.isFinished = false
  await record()
  sender.wake()
  await server.pass(1_000)
  assert.deepEqual([await unsent(), sender.state.kind], [[], 'idle'])
  recording.isFinished = true
  sender.wake()
  await server.pass(1_000)
  assert.deepEqual([sender.state.kind, server.received.at(-1)], ['finished', '/conversations/c/finish'])
})

test('a recording that is deleted while it starts is withdrawn, and not saved again', async (t) => {
  const { server, outbox, recording, start } = await startSending(t, 1)
  const sender = start()
  sender.stop()
  await outbox.remove(recording.id)
  await server.pass(1_000)
  assert.deepEqual(
    server.requests.map(({ method, path }) => `${method} ${path}`),
    ['POST /projects/p/conversations', 'DELETE /conversations/c'],
  )
  assert.deepEqual(await outbox.recordings(), [])
})

const NOT_FOUND = { status: 404, body: { code: 'not_found' } }

for (const [name, project, expected] of [
  ['was withdrawn', { status: 200 }, { kind: 'refused', code: 'not_found' }],
  ['belongs to a deleted project', NOT_FOUND, { kind: 'refused', code: 'project_deleted' }],
  ['is not found by a server that is away again', 'lost', { kind: 'waiting' }],
] as const)
  test(`a conversation that ${name} is told from the others`, async (t) => {
    const { server, start, unsent } = await startSending(t, 1)
    server.answer = (request) =>
      request.path === '/projects/p'
        ? project
        : request.path.includes('/chunks/')
          ? NOT_FOUND
          : accept(request)
    const sender = start()
    await server.pass(300)
    assert.deepEqual([sender.state, await unsent()], [expected, [0]])
  })

test('a recording whose project was deleted before its start is not called withdrawn', async (t) => {
  const { server, start } = await startSending(t, 1)
  server.answer = () => NOT_FOUND
  const sender = start()
  await server.pass(1_000)
  assert.deepEqual(sender.state, { kind: 'refused', code: 'project_deleted' })
})

for (const [status, code] of [
  [403, 'closed'],
  [403, 'participant_token_rejected'],
  [409, 'limit_reached'],
  [422, 'consent_required'],
] as const)
  test(`audio stays on the device after ${status} ${code}, and is sent when that is resolved`, async (t) => {
    const { server, recording, start, unsent } = await startSending(t, 2)
    recording.isFinished = true
    server.answer = () => ({ status, body: { code } })
    const sender = start()
    await server.pass(120_000)
    assert.deepEqual([sender.state, await unsent()], [{ kind: 'refused', code }, [0, 1]])
    assert.equal(server.requests.length, 1)
    server.answer = accept
    sender.retry()
    await server.pass(1_000)
    assert.deepEqual([sender.state.kind, await unsent()], ['finished', []])
  })
