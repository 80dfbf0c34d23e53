import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkRow } from '../find-file-chunks.ts'
import { chunkAt, nextPart, type TimeAxis, timeAxis } from './time-axis.ts'

const chunk = (seq: number, duration_ms: number, more: Partial<ChunkRow> = {}): ChunkRow => ({
  conversation_id: 'c',
  seq,
  digest: Buffer.alloc(0),
  bytes: 1,
  container: 'webm',
  received_at: '',
  recorded_at: null,
  state: 'transcribed',
  failure: null,
  duration_ms,
  transcribed_ms: null,
  waits_for_previous: false,
  stream_ms: null,
  finished_ms: null,
  language: null,
  ...more,
})
const more = { container: null }
const failed = { state: 'failed', duration_ms: null } as const

const shapeOf = ({ runs }: TimeAxis) =>
  runs.map(({ files, start, end }) => [start, end, files.map((file) => file.map(({ seq }) => seq))])

test('chunks without a gap between them form a run, by file', () => {
  const axis = timeAxis([chunk(0, 5_000), chunk(1, 4_000, more), chunk(2, 3_000), chunk(4, 2_000, more)])
  assert.deepEqual(shapeOf(axis), [
    [0, 12_000, [[0, 1], [2]]],
    [22_000, 24_000, [[4]]],
  ])
})

test('a failed chunk ends its file, whose rest keeps its text', () => {
  const axis = timeAxis([
    chunk(0, 5_000),
    chunk(1, 0, { ...more, ...failed }),
    chunk(2, 4_000, more),
    chunk(3, 3_000),
  ])
  assert.deepEqual(shapeOf(axis), [
    [0, 5_000, [[0]]],
    [15_000, 18_000, [[3]]],
  ])
})

test('a phrase belongs to the chunk in which it ends', () => {
  const axis = timeAxis([chunk(0, 5_000), chunk(1, 5_000), chunk(3, 5_000)])
  const ends = [1, 5_000, 5_001, 10_000, 21_000]
  assert.deepEqual(
    ends.map((end) => chunkAt(axis, end)),
    [0, 0, 1, 1, 3],
  )
})

/** The ends of all parts. */
function endsOf(axis: TimeAxis, phrases: { start: number; end: number }[]): number[] {
  const ends: number[] = []
  for (let part = nextPart(axis, phrases, 0); part; part = nextPart(axis, phrases, part.end))
    ends.push(part.end)
  return ends
}

test('parts of at most 30 s end in pauses', () => {
  const axis = timeAxis([chunk(0, 70_000)])
  const phrases = [
    { start: 1_000, end: 14_000 },
    { start: 14_400, end: 24_000 },
    { start: 25_000, end: 40_000 },
    { start: 40_100, end: 69_000 },
  ]
  assert.deepEqual(endsOf(axis, phrases), [24_500, 40_050, 70_000])
  const silence = timeAxis([chunk(0, 100_000)])
  assert.ok(endsOf(silence, []).every((end, n, ends) => end - (ends[n - 1] ?? 0) <= 30_000))
})

test('chunks without audio are passed over', () => {
  const axis = timeAxis([chunk(0, 0), chunk(2, 5_000), chunk(3, 0), chunk(5, 0)])
  assert.deepEqual(endsOf(axis, []), [15_000])
})

test('a part takes at most 12 files, and only what is needed of the last one', () => {
  const short = timeAxis(Array.from({ length: 40 }, (_, seq) => chunk(seq, 1_000)))
  const part = nextPart(short, [], 0)
  assert.ok(part && part.files.length <= 12 && part.end <= 12_000)
  const long = timeAxis(Array.from({ length: 40 }, (_, seq) => chunk(seq, 5_000, seq === 0 ? {} : more)))
  assert.ok((nextPart(long, [], 0)?.files.flat().length ?? 99) <= 6)
  assert.equal(nextPart(long, [], 200_000), null)
})
