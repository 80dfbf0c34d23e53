import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from '../../test/support/properties.ts'
import { sniffContainer } from '../containers/sniff-container.ts'
import { CPU_LIMIT_MS } from '../cpu-limit.ts'
import { findFfmpeg } from '../decode/find-ffmpeg.ts'
import { MediaFailure } from '../failure.ts'
import { ENDLESS } from '../testing/endless.ts'
import { fakeFfmpeg, installFakeFfmpeg, uninstallFfmpeg } from '../testing/ffmpeg.ts'
import { fixture, fixturePath, makeWav } from '../testing/fixtures.ts'
import {
  folder,
  joined,
  newPath,
  part,
  STUCK_DEMUXER,
  slices,
  stuckPart,
  wav,
  written,
} from '../testing/parts.ts'
import { probeFile } from '../testing/probe-file.ts'
import { joinAudio } from './join-audio.ts'
import { runDemuxWorker } from './run-demux-worker.ts'
import { assembleFiles, type JoinPart } from './source-file.ts'

const { signal } = new AbortController()

for (const [name, container, cuts] of [
  ['live.webm', 'webm', [2_000, 2_700]],
  ['fragmented.mp4', 'mp4', [2_000, 2_100]],
] as const) {
  test(`after a lost part of ${name}, joining continues at the next restart point`, async () => {
    const [first, , third] = slices(fixture(name), [...cuts], container)
    assert.ok(first && third)
    const { result, file } = await joined([first, { ...third, afterLoss: true }])
    const whole = await probeFile(fixturePath(name))
    assert.deepEqual(result.skipped, [])
    assert.equal(result.placed.length, 2)
    assert.ok(file.packets.length > whole.packets.length / 2)
    const known = new Set(whole.packets.map(({ data }) => data.toString('hex')))
    assert.ok(file.packets.every(({ data }) => known.has(data.toString('hex'))))
    assert.deepEqual(file.packets.at(-1)?.data, whole.packets.at(-1)?.data)
  })
}

test('after a loss, parts before the next restart point are skipped', async () => {
  const [first, , third, fourth, ...rest] = slices(
    fixture('live.webm'),
    [2_000, 2_500, 2_600, 2_700, 5_000],
    'webm',
  )
  assert.ok(first && third && fourth)
  const { result, file } = await joined([first, { ...third, afterLoss: true }, fourth, ...rest])
  assert.deepEqual(result.skipped, [1])
  const whole = await probeFile(fixturePath('live.webm'))
  assert.deepEqual(file.packets.at(-1)?.data, whole.packets.at(-1)?.data)
})

const junk: [what: string, bytes: Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['zeros', new Uint8Array(5_000)],
  ['a page', Buffer.from('<!doctype html><title>502</title>')],
  ['a header alone', fixture('one.webm').subarray(0, 200)],
]

for (const [what, bytes] of junk) {
  test(`a part with ${what} in it is skipped and reported, with its continuation`, async () => {
    const bad = [written(bytes, 'webm'), written(bytes, 'webm', true)]
    const { result } = await joined([part('one.webm', 'webm'), ...bad, part('two.webm', 'webm')])
    assert.deepEqual(result.skipped, [1, 2])
    assert.equal(result.durationMs, 2_040)
  })
}

test('a continuation without a file before it is skipped', async () => {
  const { result } = await joined([written(Buffer.from('x'), 'webm', true), part('one.webm', 'webm')])
  assert.deepEqual(result.skipped, [0])
})

test('a truncated part is joined up to its end', async () => {
  const cut = written(fixture('live.webm').subarray(0, 4_000), 'webm')
  const { result } = await joined([cut, part('two.webm', 'webm')])
  const [first, second] = result.placed
  assert.ok(first && first.durationMs > 1_000 && first.durationMs < 3_000)
  assert.equal(second?.startMs, first.durationMs)
})

const mixtures: [what: string, parts: () => JoinPart[]][] = [
  ['two codecs', () => [part('one.webm', 'webm'), part('tone.mp3', 'mp3')]],
  ['two sample rates', () => [wav(1), wav(1, 16_000)]],
  ['mono and stereo', () => [wav(1), wav(1, 8_000, 2)]],
  ['slices and another codec', () => [...slices(fixture('live.webm'), [999], 'webm'), wav(1)]],
]

const skip = findFfmpeg() === null && 'needs ffmpeg'

for (const [what, parts] of mixtures) {
  test(`${what} cannot be joined without ffmpeg, and leave no file`, async () => {
    const target = newPath()
    const mixed = parts()
    const before = await readdir(folder)
    await assert.rejects(joinAudio(mixed, target, signal, { ffmpeg: null }), {
      name: 'MediaFailure',
      code: 'needs_ffmpeg',
    })
    assert.deepEqual(await readdir(folder), before)
  })

  test(`${what} are joined to one file by ffmpeg`, { skip }, async () => {
    const mixed = parts()
    const before = await readdir(folder)
    const { target, result, file } = await joined(mixed)
    assert.equal(file.mimeType, 'audio/webm; codecs="opus"')
    assert.deepEqual(result.skipped, [])
    const [, last] = result.placed
    assert.ok(last && last.startMs >= 1_000 && last.durationMs >= 1_000 && last.durationMs < 1_100)
    assert.deepEqual(await readdir(folder), [...before, basename(target)].sort())
  })
}

test('uses the ffmpeg that is first on the PATH, as the decoder does, and no other', async (t) => {
  installFakeFfmpeg(t)
  const { result, file } = await joined([part('tone.ogg', 'ogg'), wav(2)])
  const known = await probeFile(fixturePath('one.webm'))
  assert.deepEqual(result.skipped, [])
  assert.deepEqual(file.packets.at(-1)?.data, known.packets.at(-1)?.data)
  uninstallFfmpeg(t)
  await assert.rejects(joined([part('tone.ogg', 'ogg'), wav(2)]), { code: 'needs_ffmpeg' })
})

test('a part with a codec that we cannot copy is converted by ffmpeg, with the others', async (t) => {
  const parts = [part('two.webm', 'webm'), part('alac.m4a', 'mp4')]
  installFakeFfmpeg(t)
  const { result, file } = await joined(parts)
  assert.deepEqual([result.skipped, result.placed.map(({ part }) => part)], [[], [0, 1]])
  assert.equal(file.mimeType, 'audio/webm; codecs="opus"')
  uninstallFfmpeg(t)
  await assert.rejects(joined(parts), { name: 'MediaFailure', code: 'needs_ffmpeg' })
})

test('a program that disappears counts as ffmpeg that is not installed', async () => {
  const parts = [part('one.webm', 'webm'), part('tone.mp3', 'mp3')]
  await assert.rejects(joinAudio(parts, newPath(), signal, { ffmpeg: '/nowhere/at/all' }), {
    code: 'needs_ffmpeg',
  })
})

test('fails as unreadable if no part is readable', async () => {
  const target = newPath()
  const parts = [written(Buffer.from('x'), 'mp3'), written(Buffer.from('y'), 'webm')]
  await assert.rejects(joinAudio(parts, target, signal), { name: 'MediaFailure', code: 'unreadable' })
  await assert.rejects(joinAudio([], target, signal), { name: 'MediaFailure', code: 'unreadable' })
})

test('rejects if a file is missing', async () => {
  await assert.rejects(joinAudio([part('absent.webm', 'webm')], newPath(), signal), { code: 'ENOENT' })
})

test('leaves no file after an abort', async () => {
  const target = newPath()
  const reason = new Error('gone')
  await assert.rejects(joinAudio([wav(1)], target, AbortSignal.abort(reason)), reason)
  await assert.rejects(stat(target), { code: 'ENOENT' })
})

test('files that once made the demuxer loop are joined as far as they are readable', async () => {
  const endless = [ENDLESS.resync, ENDLESS.segment, ENDLESS.clusters].map((bytes) => written(bytes(), 'webm'))
  const parts = [part('one.webm', 'webm'), ...endless, part('two.webm', 'webm')]
  const { skipped, placed } = await joinAudio(parts, newPath(), signal, { failOnTransient: true })
  assert.deepEqual(skipped, [1, 2])
  assert.deepEqual(
    placed.map(({ part }) => part),
    [0, 3, 4],
  )
  const frames = [written(ENDLESS.adts(), 'aac'), part('tone.aac', 'aac')]
  assert.deepEqual((await joinAudio(frames, newPath(), signal, { failOnTransient: true })).skipped, [])
})

const FOLDERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

const box = (type: string, body: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4)
  return Buffer.concat([head, body])
}

const uint32s = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** An MP4 with other boxes in the place of some. */
function withBoxes(bytes: Buffer, boxes: Record<string, Buffer>): Buffer {
  const result: Buffer[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + bytes.readUInt32BE(at))
    result.push(box(type, boxes[type] ?? (FOLDERS.has(type) ? withBoxes(body, boxes) : body)))
  }
  return Buffer.concat(result)
}

test('an index that lists the same bytes many times does not fill the disk', async () => {
  const samples = 2_000
  const bytes = withBoxes(fixture('tone.mp4'), {
    stts: uint32s(0, 1, samples, 1_024),
    stsc: uint32s(0, 1, 1, 1, 1),
    stsz: uint32s(0, 2_900, samples),
    stco: uint32s(0, samples, ...Array<number>(samples).fill(44)),
  })
  const { result } = await joined([written(bytes, 'mp4')])
  assert.ok(result.bytes < 4 * bytes.length, `${result.bytes} from ${bytes.length} bytes`)
})

test('parts with a header and no audio leave no file', async () => {
  const target = newPath()
  const silent = written(fixture('live.webm').subarray(0, 391), 'webm')
  await assert.rejects(joinAudio([silent], target, signal), { code: 'unreadable' })
  await assert.rejects(stat(target), { code: 'ENOENT' })
})

test('skips an AAC frame that is too short', async () => {
  const bytes = fixture('tone.aac')
  // Within the length of the first frame, and of one in the midst.
  for (const at of [361_963_195 % bytes.length, 6]) bytes[at] = 0
  const { placed } = await joinAudio([written(bytes, 'aac'), part('tone.aac', 'aac')], newPath(), signal)
  assert.deepEqual(placed.at(-1)?.part, 1)
})

test('damaged bytes give a file or a MediaFailure', async () => {
  const names = 'one.webm tone.ogg tone.mp4 fragmented.mp4 tone.mp3 tone.flac tone.aac'.split(' ')
  const broken = fc.record({
    name: fc.constantFrom(...names),
    flips: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(broken, async ({ name, flips }) => {
      const bytes = fixture(name)
      for (const [at, value] of flips) bytes[at % bytes.length] = value
      const container = sniffContainer(fixture(name)) ?? 'webm'
      const parts = [written(bytes, container), part(name, container)]
      await joinAudio(parts, newPath(), signal, { ffmpeg: null }).catch((error: unknown) => {
        assert.ok(error instanceof MediaFailure, String(error))
      })
    }),
    { numRuns: 15 },
  )
})

/** A folder can be opened, but not read. */
const unread: JoinPart = { path: folder, container: 'webm', continuation: false }
/** Longer than what is read ahead. */
const [beginning] = slices(makeWav(400), [6_000_000], 'wav')

const mixed = () => [part('two.webm', 'webm'), part('tone.mp3', 'mp3')]

const failures: [what: string, parts: JoinPart[], options: object, skipped: number[]][] = [
  ['the disk cannot read', [part('one.webm', 'webm'), unread], {}, [1]],
  [
    'the disk can read only the beginning of',
    [beginning as JoinPart, { ...unread, continuation: true }],
    {},
    [],
  ],
  ['ffmpeg is killed at', mixed(), { ffmpeg: fakeFfmpeg(newPath(), 'kill -KILL $$') }, [1]],
  ['ffmpeg is terminated at', mixed(), { ffmpeg: fakeFfmpeg(newPath(), 'exit 255') }, [1]],
]

for (const [what, parts, options, skipped] of failures)
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
  failOnTransient = true,
) {
  const task = { files: await assembleFiles(parts), target: newPath(), failOnTransient }
  const copied = await runDemuxWorker(task, signal, { worker: STUCK_DEMUXER, ...limits })
  return copied.kind === 'copied' ? copied.placed.map(({ file }) => file.parts[0]) : copied.kind
}

test('a part on which the demuxer loops is skipped without a retry', async () => {
  assert.deepEqual(await demuxStuck(stuck('LOOP'), { stallMs: 600_000, cpuMs: 500 }), [0])
})

test('the CPU limit is 5 s', () => {
  assert.equal(CPU_LIMIT_MS, 5_000)
})

test('a part on which the demuxer stalls rejects the join, or is skipped without failOnTransient', async () => {
  const limits = { stallMs: 5_000 }
  await assert.rejects(demuxStuck(stuck('WAIT'), limits), /made no progress/)
  assert.deepEqual(await demuxStuck(stuck('WAIT'), limits, false), [0])
})

test('a conversation with too many parts that loop is not joined', async () => {
  const parts = stuck('LOOP', 'LOOP', 'LOOP', 'LOOP', 'LOOP')
  await assert.rejects(demuxStuck(parts, { stallMs: 600_000, cpuMs: 250 }), { code: 'unreadable' })
})

for (const [how, command, skip] of [
  ['loops', 'while :; do :; done', process.platform !== 'linux' && 'needs /proc'],
  ['exits with an error', 'exit 1', false],
] as const)
  test(`a part on which ffmpeg ${how} is skipped without a retry`, { skip }, async () => {
    const options = { ffmpeg: fakeFfmpeg(newPath(), command), cpuMs: 1_500, failOnTransient: true }
    assert.deepEqual((await joinAudio(mixed(), newPath(), signal, options)).skipped, [1])
  })

test('a pause of our own process does not count as a stalled demuxer', async () => {
  const files = await assembleFiles([part('one.webm', 'webm'), part('two.webm', 'webm')])
  const task = { files, target: newPath(), failOnTransient: false }
  const copying = runDemuxWorker(task, signal, { stallMs: 5_000 })
  // Otherwise the thread's messages would arrive before the timer is checked.
  await turn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500)
  const copied = await copying
  assert.equal(copied.kind === 'copied' && copied.placed.length, 2)
})
