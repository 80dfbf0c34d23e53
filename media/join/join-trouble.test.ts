import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { CPU_LIMIT_MS } from '../cpu-limit.ts'
import { MediaFailure } from '../failure.ts'
import { fixturePath, makeWav } from '../testing/fixtures.ts'
import { folder, newPath, part, STUCK_DEMUXER, slices, stuckPart, written } from '../testing/parts.ts'
import { joinAudio } from './join-audio.ts'
import { runDemuxWorker } from './run-demux-worker.ts'
import { assembleFiles, type JoinPart } from './source-file.ts'

const { signal } = new AbortController()

/** A folder can be opened, but not read. */
const unread: JoinPart = { path: folder, container: 'webm', continuation: false }
/** Longer than what is read ahead. */
const [beginning] = slices(makeWav({ seconds: 400, sampleRate: 8_000, channels: 1 }), [6_000_000], 'wav')

/** Replaces ffmpeg: writes a WebM for every input except MP3. */
function ffmpegThat(endsAtMp3: string): string {
  const { path } = written(
    Buffer.from(`#!/bin/sh
      case "$*" in *"-f mp3"*) ${endsAtMp3};; esac
      for last; do :; done
      cp '${fixturePath('one.webm')}' "\${last#file:}"`),
    'webm',
  )
  chmodSync(path, 0o700)
  return path
}

const mixed = () => [part('two.webm', 'webm'), part('tone.mp3', 'mp3')]

const troubles: [what: string, parts: JoinPart[], options: object, skipped: number[]][] = [
  ['the disk cannot read', [part('one.webm', 'webm'), unread], {}, [1]],
  [
    'the disk can read only the beginning of',
    [beginning as JoinPart, { ...unread, continuation: true }],
    {},
    [],
  ],
  ['ffmpeg is killed at', mixed(), { ffmpeg: ffmpegThat('kill -KILL $$') }, [1]],
  ['ffmpeg is terminated at', mixed(), { ffmpeg: ffmpegThat('exit 255') }, [1]],
]

for (const [what, parts, options, skipped] of troubles)
  test(`a part that ${what} rejects the join, or is skipped without failOnTransient`, async () => {
    const target = newPath()
    await assert.rejects(
      joinAudio(parts, target, signal, { ...options, failOnTransient: true }),
      (error) => !(error instanceof MediaFailure),
    )
    await assert.rejects(stat(target), { code: 'ENOENT' })
    assert.deepEqual((await joinAudio(parts, target, signal, options)).skipped, skipped)
  })

const stuck = (...ways: ('LOOP' | 'WAIT')[]) => [part('one.webm', 'webm'), ...ways.map(stuckPart)]

async function demuxStuck(
  parts: JoinPart[],
  limits: { stallMs: number; cpuMs?: number },
  failOnTransient: boolean,
) {
  const task = { files: await assembleFiles(parts), target: newPath(), failOnTransient }
  const copied = await runDemuxWorker(task, signal, { worker: STUCK_DEMUXER, ...limits })
  return copied.kind === 'copied' ? copied.placed.map(({ file }) => file.parts[0]) : copied.kind
}

test('a part on which the demuxer loops is skipped without a retry', async () => {
  assert.deepEqual(await demuxStuck(stuck('LOOP'), { stallMs: 600_000, cpuMs: 500 }, true), [0])
})

test('the CPU limit is 5 s', () => {
  assert.equal(CPU_LIMIT_MS, 5_000)
})

test('a part on which the demuxer stalls rejects the join, or is skipped without failOnTransient', async () => {
  const limits = { stallMs: 5_000 }
  await assert.rejects(demuxStuck(stuck('WAIT'), limits, true), /made no progress/)
  assert.deepEqual(await demuxStuck(stuck('WAIT'), limits, false), [0])
})

test('a conversation with too many parts that loop is not joined', async () => {
  const parts = stuck('LOOP', 'LOOP', 'LOOP', 'LOOP', 'LOOP')
  await assert.rejects(demuxStuck(parts, { stallMs: 600_000, cpuMs: 250 }, true), { code: 'unreadable' })
})

test('a part on which ffmpeg loops is skipped without a retry', {
  skip: process.platform !== 'linux',
}, async () => {
  const options = { ffmpeg: ffmpegThat('while :; do :; done'), cpuMs: 1_500, failOnTransient: true }
  assert.deepEqual((await joinAudio(mixed(), newPath(), signal, options)).skipped, [1])
})

test('a part that ffmpeg rejects is skipped', async () => {
  const options = { ffmpeg: ffmpegThat('exit 1'), failOnTransient: true }
  assert.deepEqual((await joinAudio(mixed(), newPath(), signal, options)).skipped, [1])
})

test('a pause of our own process does not count as a stalled demuxer', async () => {
  const files = await assembleFiles([part('one.webm', 'webm'), part('two.webm', 'webm')])
  const copying = runDemuxWorker({ files, target: newPath(), failOnTransient: false }, signal, {
    stallMs: 5_000,
  })
  // Otherwise the thread's messages would arrive before the timer is checked.
  await turn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500)
  const copied = await copying
  assert.equal(copied.kind === 'copied' && copied.placed.length, 2)
})
