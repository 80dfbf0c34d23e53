import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { followText, nextPause } from './live-text.ts'
import type { Session } from './session.ts'

const page = Object.assign(new EventTarget(), { hidden: false })
let requests: number[]
let transcript: string
let now: number

const phone = {
  recording: { started: { id: 'conversation', token: 'secret' } },
  state: { phase: 'recording', sentChunks: 1, sending: { kind: 'idle' } },
}

// Unit tests share one process.
const { fetch } = globalThis
afterEach(() => {
  mock.timers.reset()
  Object.assign(globalThis, { fetch, document: undefined })
})

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  ;[requests, transcript, now] = [[], '', 0]
  page.hidden = false
  phone.state.phase = 'recording'
  phone.state.sending.kind = 'idle'
  Object.assign(globalThis, {
    document: page,
    fetch: async () => {
      requests.push(now)
      return Response.json({ transcript_so_far: transcript })
    },
  })
})

/** Lets seconds pass, with the promises between timers. */
async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds; step++) {
    now += 1
    mock.timers.tick(1_000)
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

const follow = (onText: (text: string) => void = () => {}) => followText(phone as unknown as Session, onText)

test('asks every four seconds while words arrive, and less often in silence', async () => {
  const texts: string[] = []
  const stop = follow((text) => texts.push(text))
  transcript = 'one'
  await pass(4)
  transcript = 'one two'
  await pass(4)
  assert.deepEqual(texts, ['one', 'one two'])
  assert.deepEqual(requests, [4, 8])
  await pass(112)
  assert.deepEqual(texts, ['one', 'one two'])
  assert.ok(requests.length <= 10, requests.join())
  transcript = 'one two three'
  await pass(40)
  assert.equal(texts.at(-1), 'one two three')
  assert.ok(requests.length >= 12)
  stop()
  const before = requests.length
  await pass(60)
  assert.equal(requests.length, before)
})

test('asks nothing while the page is hidden, and at once when it is seen again', async () => {
  const stop = follow()
  page.hidden = true
  page.dispatchEvent(new Event('visibilitychange'))
  await pass(60)
  assert.deepEqual(requests, [])
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  await pass(1)
  assert.equal(requests.length, 1)
  stop()
})

test('asks nothing while the server is away, and during a pause only for the last words', async () => {
  const stop = follow()
  phone.state.sending.kind = 'waiting'
  await pass(60)
  assert.deepEqual(requests, [])
  phone.state.sending.kind = 'idle'
  phone.state.phase = 'paused'
  transcript = 'the last words'
  await pass(60)
  assert.equal(requests.length, 2)
  phone.state.phase = 'recording'
  await pass(5)
  assert.equal(requests.length, 3)
  stop()
})

test('the pause grows to half a minute', () => {
  let pause = 4_000
  for (let count = 0; count < 20; count++) pause = nextPause(pause, false)
  assert.equal(pause, 30_000)
  assert.equal(nextPause(pause, true), 4_000)
})

test('shows dots where the engine is unsure of the words', async () => {
  const texts: string[] = []
  const stop = follow((text) => texts.push(text))
  transcript = 'Benches\n[unclear] Trees'
  await pass(4)
  assert.deepEqual(texts, ['Benches\n[…] Trees'])
  stop()
})
