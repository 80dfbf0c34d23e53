import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { compare } from './align.ts'
import { wrongSentences } from './sentences.ts'
import { RATE, speechFile } from './speech.ts'

// The tests of the page trust these two checks, so they have to find what can go wrong.
let samples: Float32Array
before(async () => {
  const spoken = await speechFile(['en-librivox-1'])
  samples = spoken.samples.subarray(0, 20 * RATE)
})

/** The played audio as a list of stretches, `[from, to]` in seconds. */
const cut = (...stretches: [from: number, to: number][]): Float32Array =>
  Float32Array.from(stretches.flatMap(([from, to]) => [...samples.subarray(from * RATE, to * RATE)]))

test('audio that begins later than the played file is complete, and its beginning is found', () =>
  assert.deepEqual(compare(cut([0.3, 18.2]), samples), { begin: 0.3, differences: [] }))

const DAMAGES: Record<string, [from: number, to: number][]> = {
  'missing for 0.2 s': [
    [0, 7],
    [7.2, 20],
  ],
  'doubled for 0.2 s': [
    [0, 7],
    [6.8, 20],
  ],
  'missing for 0.3 s in its last stretch, which is not a whole one': [
    [0, 16],
    [16.3, 19.5],
  ],
  'doubled at its end': [
    [0, 18],
    [13, 18],
  ],
  'in another order': [
    [0, 5],
    [10, 15],
    [5, 10],
    [15, 20],
  ],
}
for (const [damage, stretches] of Object.entries(DAMAGES))
  test(`finds audio that is ${damage}`, () =>
    assert.notDeepEqual(compare(cut(...stretches), samples).differences, []))

const said = [
  'The echo test has been completed. They have been carried away by monkeys. Please hold the line.',
]

test('finds each sentence once, although a word is misheard', () =>
  assert.deepEqual(
    wrongSentences(
      '[00:00] The eco-test has been completed. They have been carried away by monkey. Please hold the line!',
      said,
    ),
    [],
  ))

const TRANSCRIPTS: Record<string, string> = {
  missing: 'The echo test has been completed. Please hold the line.',
  doubled:
    'The echo test has been completed. They have been carried away by monkeys. been carried away by monkeys Please hold the line.',
  'in another order':
    'They have been carried away by monkeys. The echo test has been completed. Please hold the line.',
}
for (const [damage, transcript] of Object.entries(TRANSCRIPTS))
  test(`finds a sentence that is ${damage}`, () => assert.equal(wrongSentences(transcript, said).length, 1))
