import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { uploadsOf, type VoiceSpan, withPartTimes } from './silence.ts'

/** Speech after pauses, in milliseconds: sums of whole numbers stay exact. */
const recording = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 250, max: 20_000 })), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((spoken) => fc.tuple(fc.constant(spoken), fc.integer({ min: 0, max: 8_000 })))
  .map(([lengths, rest]) => {
    let at = 0
    const spoken = lengths.map(([pause, speech]) => {
      const start = at + pause
      at = start + speech
      return { start: start / 1_000, end: at / 1_000 }
    })
    return { spoken, length: (at + rest) / 1_000 }
  })

const near = (one: number, other: number, message?: string): void =>
  assert.ok(Math.abs(one - other) < 1e-6, message ?? `${one}, expected ${other}`)

test('uploads all speech, and no silence of more than 2 s', () => {
  fc.assert(
    fc.property(recording, fc.integer({ min: 30, max: 100 }), ({ spoken, length }, maxSeconds) => {
      const uploads = uploadsOf(spoken, length, maxSeconds)
      const stretches = uploads.flat()
      for (const [index, { start, end }] of stretches.entries())
        assert.ok(start >= (stretches[index - 1]?.end ?? 0) - 1e-9 && end <= length + 1e-9 && start < end)
      for (const one of spoken)
        assert.ok(stretches.some(({ start, end }) => start <= one.start + 1e-9 && end >= one.end - 1e-9))
      for (const upload of uploads) {
        assert.ok(secondsOf(upload) <= maxSeconds + 1e-6)
        for (const stretch of upload) {
          const edges = [
            stretch.start,
            ...spoken
              .filter((one) => one.start >= stretch.start && one.end <= stretch.end)
              .flatMap(({ start, end }) => [start, end]),
            stretch.end,
          ]
          for (let at = 0; at < edges.length; at += 2)
            assert.ok((edges[at + 1] ?? 0) - (edges[at] ?? 0) <= 2 + 1e-6)
        }
      }
    }),
  )
})

const secondsOf = (stretches: readonly VoiceSpan[]): number =>
  stretches.reduce((sum, { start, end }) => sum + end - start, 0)

test('a time of the upload becomes the time that was recorded there, for segments and words', () => {
  fc.assert(
    fc.property(recording, fc.double({ min: 0, max: 1, noNaN: true }), ({ spoken, length }, share) => {
      for (const upload of uploadsOf(spoken, length, 60)) {
        // Speech, with the words in its halves.
        const said = spoken.filter((one) =>
          upload.some(({ start, end }) => one.start >= start && one.end <= end),
        )
        const response = {
          language: null,
          text: '',
          hasTimestamps: true,
          segments: said.map((one) => {
            const middle = one.start + share * (one.end - one.start)
            const [start, at, end] = [one.start, middle, one.end].map((time) => uploadTime(upload, time))
            const words = [
              { text: 'a', start: start as number, end: at as number, confidence: 1 },
              { text: 'b', start: at as number, end: end as number, confidence: 1 },
            ]
            return { start: start as number, end: end as number, text: 'a b', words }
          }),
        }
        const { segments } = withPartTimes(response, upload)
        for (const [index, one] of said.entries()) {
          const segment = segments?.[index]
          near(segment?.start ?? 0, one.start)
          near(segment?.end ?? 0, one.end)
          near(segment?.words?.[0]?.end ?? 0, one.start + share * (one.end - one.start))
          near(segment?.words?.[1]?.start ?? 0, one.start + share * (one.end - one.start))
        }
      }
    }),
  )
})

/** Where the file of the upload has a time of the part. */
const uploadTime = (upload: readonly VoiceSpan[], time: number): number =>
  upload.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(time, end) - start), 0)

test('times of any server stay in order, and within the stretches', () => {
  const time = fc.double({ min: 0, max: 120, noNaN: true })
  fc.assert(
    fc.property(recording, fc.array(fc.tuple(time, time), { maxLength: 10 }), ({ spoken, length }, given) => {
      const [upload = []] = uploadsOf(spoken, length, 60)
      const segments = given
        .map(([one, other]) => ({ start: Math.min(one, other), end: Math.max(one, other), text: 'a' }))
        .sort((a, b) => a.start - b.start)
      const moved =
        withPartTimes({ language: null, text: '', hasTimestamps: true, segments }, upload).segments ?? []
      const [first, last] = [upload[0]?.start ?? 0, upload.at(-1)?.end ?? 0]
      for (const { start, end } of moved) assert.ok(start <= end && start >= first && end <= last)
    }),
  )
})

test('a segment that a server ends or begins in the silence at a cut does not extend over it', () => {
  const upload = [
    { start: 10, end: 20 },
    { start: 50, end: 60 },
  ]
  const times = ([start, end]: [number, number]) => {
    const segments = [{ start, end, text: 'a' }]
    const [moved] =
      withPartTimes({ language: null, text: '', hasTimestamps: true, segments }, upload).segments ?? []
    return [moved?.start, moved?.end]
  }
  assert.deepEqual(times([0, 10.4]), [10, 20])
  assert.deepEqual(times([9.6, 20]), [50, 60])
  assert.deepEqual(times([9.6, 10.4]), [19.6, 20])
  assert.deepEqual(times([9, 11]), [19, 51])
})
