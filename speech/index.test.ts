import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { clip, SAMPLES, wavOf, writeTemporary } from '../media/testing/fixtures.ts'
import { isProcessAlive } from '../platform/is-process-alive.ts'
import { createEmbeddedTranscriber, UNCLEAR_BELOW } from './index.ts'
import { soundOf } from './testing/sounds.ts'
import type { TranscribeRequest, Transcription } from './types.ts'

const engine = createEmbeddedTranscriber({ concurrency: 1, ffmpeg: null, model: 'base' })
after(() => engine.close())

const request = (path: string, more: Partial<TranscribeRequest> = {}): TranscribeRequest => ({
  path,
  container: 'flac',
  language: null,
  hotwords: [],
  from: 0,
  signal: new AbortController().signal,
  ...more,
})

const sample = (name: string): string => join(SAMPLES, `${name}.flac`)
const english = request(clip('webm'), { container: 'webm', language: 'en' })
/** The results of recordings that several tests look at. */
const results = new Map<TranscribeRequest, Promise<Transcription>>()
function resultOf(recording: TranscribeRequest): Promise<Transcription> {
  const result = results.get(recording) ?? engine.transcribe(recording)
  results.set(recording, result)
  return result
}
const textOf = ({ segments }: { segments: { text: string }[] }): string =>
  segments.map(({ text }) => text).join(' ')

test('transcribes English', async () => {
  const result = await resultOf(english)
  assert.equal(result.language, 'en')
  assert.match(textOf(result), /^He was not an ill-disposed young man/)
  assert.ok(Math.abs(result.duration - 3) < 0.1)
  const [segment] = result.segments
  assert.ok(
    segment?.language === 'en' && segment.confidence !== undefined && segment.confidence > UNCLEAR_BELOW,
  )
})

const german = request(sample('de-espeak-1'), { until: 12 })

test('detects and transcribes German, with times in order', async () => {
  const result = await resultOf(german)
  assert.equal(result.language, 'de')
  assert.match(textOf(result), /mehr Bäume und einen Spielplatz für die Kinder/)
  result.segments.reduce((end, segment) => {
    assert.ok(segment.start >= end && segment.end >= segment.start && segment.end <= result.duration + 0.1)
    return segment.end
  }, 0)
})

for (const [language, recording] of [
  ['en', english],
  ['de', german],
] as const)
  test(`each word has a confidence and a time within its segment: ${language}`, async () => {
    const { segments } = await resultOf(recording)
    assert.ok(segments.length > 0)
    for (const { start, end, text, words = [] } of segments) {
      assert.equal(words.map((word) => word.text).join(' '), text)
      assert.ok(words.every(({ confidence }) => confidence > 0 && confidence <= 1))
      const times = [start, ...words.flatMap((word) => [word.start, word.end]), end]
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
    }
  })

test('leaves out audio before `from`', async () => {
  const { segments, duration } = await engine.transcribe(
    request(sample('en-librivox-1'), { language: 'en', from: 20 }),
  )
  assert.ok(segments.length > 0 && segments.every(({ start }) => start >= 20))
  assert.ok(duration > 26)
  assert.match(textOf({ segments }), /amiable himself\.?$/)
})

test('stops at `until`', async () => {
  const part = await engine.transcribe(request(sample('en-librivox-1'), { language: 'en', until: 6 }))
  assert.deepEqual([part.duration, part.isWhole], [6, false])
  assert.ok(part.segments.length > 0 && part.segments.every(({ end }) => end <= 6.1))
  const whole = await engine.transcribe({ ...english, until: 3_600 })
  assert.ok(whole.isWhole && Math.abs(whole.duration - 3) < 0.1)
})

test('transcribes a phrase that spans two recordings whole, with a pre-roll', async (t) => {
  const samples = await soundOf('en-librivox-1')
  const cut = (name: string, from: number, to: number) => {
    const part = samples.slice(from * 16_000, to * 16_000)
    const wav = wavOf(Buffer.from(part.buffer), { rate: 16_000, channels: 1, isFloat: true, bytes: 4 })
    return { path: writeTemporary(t, name, wav), container: 'wav' as const }
  }
  const [first, second, third] = [cut('first', 0, 3), cut('second', 3, 4), cut('third', 4, 9)]
  const preRoll = [
    { ...first, from: 0.5 },
    { ...second, from: 0 },
  ]
  const { segments, duration } = await engine.transcribe({
    ...request(third.path),
    ...third,
    language: 'en',
    preRoll,
  })
  assert.equal(duration, 5)
  assert.ok((segments[0]?.start ?? 0) < -2 && (segments[0]?.start ?? 0) >= -3.5)
  const whole = await engine.transcribe(
    request(sample('en-librivox-1'), { language: 'en', from: 0.5, until: 9 }),
  )
  assert.equal(textOf({ segments }), textOf(whole))
})

test('transcribes a language that is not offered in that language', async () => {
  const other = { ...german, candidates: ['nl', 'pt'], until: 6.4 }
  const { language, segments } = await engine.transcribe(other)
  assert.equal(language, 'de')
  assert.match(textOf({ segments }), /Guten Morgen und herzlich willkommen\. Heute sprechen wir/)
})

test('transcribes iPhone recordings without ffmpeg', async () => {
  const recording = request(join(SAMPLES, 'containers/fragmented.mp4'), { container: 'mp4', language: 'en' })
  assert.equal(textOf(await engine.transcribe(recording)), textOf(await resultOf(english)))
})

test('silence has no segments and no language', async (t) => {
  const wav = wavOf(Buffer.alloc(16_000 * 2 * 5), { rate: 16_000, channels: 1, bytes: 2 })
  const result = await engine.transcribe(request(writeTemporary(t, 'silence', wav), { container: 'wav' }))
  assert.deepEqual(result, {
    language: null,
    duration: 5,
    isWhole: true,
    segments: [],
    finishedTo: 4.864,
  })
})

test('rejects a language that no model supports', async () => {
  await assert.rejects(engine.transcribe({ ...english, language: 'tlh' }), { code: 'unsupported_language' })
})

test('a killed worker fails its job, and the next job succeeds', async () => {
  const working = engine.transcribe(request(sample('en-librivox-1'), { language: 'en' }))
  await pause(0)
  for (const pid of engine.pids) process.kill(pid, 'SIGKILL')
  await assert.rejects(working, { code: 'unavailable' })
  assert.match(textOf(await engine.transcribe(english)), /young man/)
})

test('an abort ends a running or waiting job, and keeps the worker', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const pids = engine.pids
  const working = engine.transcribe(
    request(sample('en-librivox-1'), { language: 'en', signal: first.signal }),
  )
  const waiting = engine.transcribe({ ...english, signal: second.signal })
  setImmediate(() => second.abort())
  await assert.rejects(waiting, { code: 'unavailable' })
  first.abort()
  await assert.rejects(working, { code: 'unavailable' })
  assert.match(textOf(await engine.transcribe(english)), /young man/)
  assert.deepEqual(engine.pids, pids)
})

test('workers and decoders end when their parent is killed', async (t) => {
  const decoder = writeTemporary(t, 'hangs', Buffer.from('#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 600\n'))
  const options = { concurrency: 1, ffmpeg: decoder, limits: { stallMs: 600_000 } }
  const code = `
    const { createEmbeddedTranscriber } = await import(${JSON.stringify(import.meta.resolve('./index.ts'))})
    const engine = createEmbeddedTranscriber(${JSON.stringify(options)})
    engine.transcribe({ ...${JSON.stringify(english)}, signal: new AbortController().signal })
    setImmediate(() => process.send(engine.pids))`
  const parent: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [pids] = (await once(parent, 'message')) as [number[]]
  const decoderPid = await readPid(`${decoder}.pid`)
  assert.ok([...pids, decoderPid].length === 2 && [...pids, decoderPid].every(isProcessAlive))
  parent.kill('SIGKILL')
  for (const pid of [...pids, decoderPid]) while (isProcessAlive(pid)) await pause(20)
})

async function readPid(path: string): Promise<number> {
  while (true) {
    const pid = Number(await readFile(path, 'utf8').catch(() => ''))
    if (pid > 0) return pid
    await pause(20)
  }
}
