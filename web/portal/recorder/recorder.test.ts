import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type RecordedPiece, recordFile } from './recorder.ts'

/** A recorder of a browser that gives what the test says. */
class FakeRecorder {
  static isTypeSupported = (): boolean => true
  static last: FakeRecorder
  mimeType = 'audio/webm;codecs=opus'
  state = 'inactive'
  ondataavailable: ((event: { data: Blob }) => void) | null = null
  onstop: (() => void) | null = null

  constructor() {
    FakeRecorder.last = this
  }

  start(): void {
    this.state = 'recording'
  }

  stop(): void {
    this.state = 'inactive'
  }

  give(data: Blob): void {
    this.ondataavailable?.({ data })
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const audio = (length: number): Blob => new Blob(['a'.repeat(length)])

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  let passed = 0
  t.mock.method(performance, 'now', () => passed)
  const before = Object.getOwnPropertyDescriptor(globalThis, 'MediaRecorder')
  Object.defineProperty(globalThis, 'MediaRecorder', { configurable: true, value: FakeRecorder })
  t.after(() => Object.defineProperty(globalThis, 'MediaRecorder', before ?? { configurable: true }))
  const pieces: RecordedPiece[] = []
  const seen = { pieces, lost: 0 }
  const file = recordFile({} as MediaStream, {
    onPiece: async (piece) => void pieces.push(piece),
    onLost: () => void seen.lost++,
  })
  const pass = (ms: number) => {
    passed += ms
    t.mock.timers.tick(ms)
  }
  return { file, recorder: FakeRecorder.last, seen, pass }
}

const summary = (pieces: readonly RecordedPiece[]) =>
  pieces.map(({ bytes, durationMs, beginsFile }) => [bytes.byteLength, durationMs, beginsFile])

test('a first byte that comes alone is joined with the rest of the header', async (t) => {
  const { recorder, seen, pass } = start(t)
  // The microphone has not given audio yet.
  pass(400)
  recorder.give(audio(1))
  pass(500)
  recorder.give(audio(900))
  await settle()
  pass(500)
  recorder.give(audio(800))
  await settle()
  assert.deepEqual(summary(seen.pieces), [
    [901, 500, true],
    [800, 500, false],
  ])
})

test('a piece that comes in the same millisecond as the one before has a length', async (t) => {
  const { recorder, seen, pass } = start(t)
  pass(500)
  recorder.give(audio(900))
  await settle()
  recorder.give(audio(700))
  await settle()
  assert.deepEqual(summary(seen.pieces), [
    [900, 500, true],
    [700, 1, false],
  ])
})

test('a file whose header cannot be read is given up, and its later audio is not sent without it', async (t) => {
  const { recorder, seen, pass } = start(t)
  pass(500)
  // As in a browser that has no memory left.
  t.mock.method(Blob.prototype, 'arrayBuffer', () => Promise.reject(new Error('NotReadableError')))
  recorder.give(audio(900))
  await settle()
  assert.equal(recorder.state, 'inactive')
  recorder.give(audio(900))
  recorder.onstop?.()
  await settle()
  assert.deepEqual(seen, { pieces: [], lost: 1 })
})

test('the last words of a busy machine are waited for', async (t) => {
  const { file, recorder, seen, pass } = start(t)
  pass(500)
  recorder.give(audio(900))
  await settle()
  const stopping = file.stop()
  pass(5_000)
  await settle()
  recorder.give(audio(1_200))
  recorder.onstop?.()
  await stopping
  assert.deepEqual(summary(seen.pieces), [
    [900, 500, true],
    [1_200, 5_000, false],
  ])
})

test('a stalled recorder, which never says that it has stopped, is waited for briefly', async (t) => {
  const { file, pass } = start(t)
  pass(10_000)
  const stopping = file.stop()
  pass(3_000)
  await stopping
})

test('a piece is as long as it took, also when the clock of the phone is set', async (t) => {
  const { file, recorder, seen, pass } = start(t)
  for (const clock of [3_600_000, 500]) {
    pass(500)
    t.mock.timers.setTime(clock)
    recorder.give(audio(900))
    await settle()
  }
  assert.deepEqual(
    seen.pieces.map(({ durationMs }) => durationMs),
    [500, 500],
  )
  assert.equal(file.aliveAt, 1_000)
})

test('the time for which the browser did not record is not counted', async (t) => {
  const { file, recorder, seen, pass } = start(t)
  pass(500)
  recorder.give(audio(900))
  await settle()
  pass(40_000)
  file.skip()
  pass(500)
  recorder.give(audio(900))
  await settle()
  assert.deepEqual(
    seen.pieces.map(({ at, durationMs }) => [at, durationMs]),
    [
      [0, 500],
      [40_500, 500],
    ],
  )
})
