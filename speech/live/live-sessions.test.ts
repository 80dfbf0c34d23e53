import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { wavOf, writeTemporary } from '../../media/testing/fixtures.ts'
import { atLevel } from '../testing/levels.ts'
import { setup } from '../testing/setup.ts'
import { soundOf } from '../testing/sounds.ts'
import { transcribe } from '../transcribe.ts'
import type { PreRollFile, Segment, Transcription } from '../types.ts'
import { LiveSessions } from './live-sessions.ts'

const sound = await soundOf('en-asterisk-3')
const settings = { language: 'en', candidates: [], hotwords: [] }
/** Not a multiple of the frames of the voice detection. */
const SECONDS = 3.3
/** The number of the chunk before which the engine forgets everything. */
const RESTART = 2

function chunkOf(t: TestContext, n: number, recording = sound) {
  const [from, to] = [n, n + 1].map((number) => Math.round(number * SECONDS * SAMPLE_RATE))
  return fileOf(t, recording.slice(from, to))
}

function fileOf(t: TestContext, samples: Float32Array<ArrayBuffer>) {
  const format = { rate: SAMPLE_RATE, channels: 1, isFloat: true, bytes: 4 }
  const path = writeTemporary(t, 'sound', wavOf(Buffer.from(samples.buffer), format))
  return { ...settings, path, container: 'wav' as const }
}

const liveAt = (n: number) => ({ conversation: 'one', position: `${n}`, after: n > 0 ? `${n - 1}` : null })

/** The finished segments, and those of the last chunk, in the time of the recording. */
function collect(transcriptions: readonly Transcription[]): Segment[] {
  let segments: Segment[] = []
  for (const [n, { segments: added, finishedTo = 0 }] of transcriptions.entries()) {
    segments.push(
      ...added.map((one) => ({ ...one, start: n * SECONDS + one.start, end: n * SECONDS + one.end })),
    )
    if (n < transcriptions.length - 1)
      segments = segments.filter(({ start }) => start < n * SECONDS + finishedTo - 0.001)
  }
  return segments
}

const textsOf = (segments: readonly Segment[]): string[] => segments.map(({ text }) => text)

test('chunks give the same text as the whole recording, before and after a restart', async (t) => {
  // Two sentences. The second one is longer than two chunks.
  const recording = sound.slice(13 * SAMPLE_RATE, 27 * SAMPLE_RATE)
  const whole = await transcribe({ ...fileOf(t, recording), from: 0 }, setup)
  const transcriptions: Transcription[] = []
  const earlier: PreRollFile[] = []
  let sessions = new LiveSessions()
  t.after(() => sessions.close())
  for (let n = 0; n * SECONDS * SAMPLE_RATE < recording.length; n++) {
    const { duration = 0, finishedTo = 0 } = transcriptions.at(-1) ?? {}
    const from = finishedTo - duration
    const job = { ...chunkOf(t, n, recording), live: liveAt(n) }
    const resumed = await sessions.resume({ ...job, isContinued: false, from }, setup)
    assert.equal(resumed === null, n === 0 || n === RESTART)
    const again = { ...job, from: 0, preRoll: [...earlier], finishedTo: from, spokenBefore: 'en' }
    transcriptions.push(resumed ?? (await sessions.start(again, setup)))
    earlier.push({ path: job.path, container: job.container, from: 0 })
    if (n + 1 === RESTART) {
      sessions.close()
      sessions = new LiveSessions()
    }
  }
  const live = collect(transcriptions)
  assert.deepEqual(textsOf(live), textsOf(whole.segments))
  for (const [n, { start }] of live.entries())
    assert.ok(Math.abs(start - (whole.segments[n]?.start ?? 0)) < 0.05)
})

test('a quiet voice after a loud one has the same words in chunks as in the whole recording at one level', async (t) => {
  const [loud, after] = [
    sound.slice(4 * SAMPLE_RATE, 7 * SAMPLE_RATE),
    sound.slice(7 * SAMPLE_RATE, 13 * SAMPLE_RATE),
  ]
  const voices = (level: number) => concatSamples(atLevel(loud, -20), atLevel(after, level))
  const whole = await transcribe({ ...fileOf(t, voices(-20)), from: 0 }, setup)
  const quiet = voices(-58)
  const sessions = new LiveSessions()
  t.after(() => sessions.close())
  const transcriptions: Transcription[] = []
  for (let n = 0; n * SECONDS * SAMPLE_RATE < quiet.length; n++) {
    const { duration = 0, finishedTo = 0 } = transcriptions.at(-1) ?? {}
    const from = finishedTo - duration
    const job = { ...chunkOf(t, n, quiet), live: liveAt(n) }
    const resumed = await sessions.resume({ ...job, isContinued: false, from }, setup)
    assert.equal(resumed === null, n === 0)
    transcriptions.push(resumed ?? (await sessions.start({ ...job, from: 0 }, setup)))
  }
  const wordsOf = (segments: readonly Segment[]) =>
    textsOf(segments)
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g)
  assert.deepEqual(wordsOf(collect(transcriptions)), wordsOf(whole.segments))
})

test('forgets a conversation whose next chunk does not follow', async (t) => {
  const sessions = new LiveSessions()
  t.after(() => sessions.close())
  const first = await sessions.start({ ...chunkOf(t, 0), from: 0, live: liveAt(0) }, setup)
  const from = (first.finishedTo ?? 0) - first.duration
  const next = { ...chunkOf(t, 1), live: liveAt(1), isContinued: false, from }
  const wrong = [
    { ...next, live: { ...next.live, after: 'another' } },
    { ...next, from: from - 1 },
    { ...next, hotwords: ['Parley'] },
    { ...next, isContinued: true, container: 'webm' as const },
  ]
  for (const [n, job] of wrong.entries()) {
    if (n > 0) await sessions.start({ ...chunkOf(t, 0), from: 0, live: liveAt(0) }, setup)
    assert.equal(await sessions.resume(job, setup), null)
    assert.equal(await sessions.resume(next, setup), null)
  }
  assert.equal(await sessions.resume({ ...next, live: { ...next.live, conversation: 'two' } }, setup), null)
})
