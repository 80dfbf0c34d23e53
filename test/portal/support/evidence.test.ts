import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { compare } from './align.ts'
import { wrongSentences } from './sentences.ts'
import { RATE, type SpokenFile, speechFile } from './speech.ts'

// The tests of the page trust these two checks, so they have to find what can go wrong.
let spoken: SpokenFile
before(async () => {
  spoken = await speechFile(['en-librivox-1', 'en-asterisk-1'])
})

/** The played audio as a list of stretches, `[from, to]` in seconds. */
const cut = (...stretches: [from: number, to: number][]): Float32Array =>
  Float32Array.from(stretches.flatMap(([from, to]) => [...spoken.samples.subarray(from * RATE, to * RATE)]))

test('audio that begins later than the played file is complete, and its beginning is found', () =>
  assert.deepEqual(compare(cut([0.3, 38.2]), spoken.samples), { begin: 0.3, differences: [] }))

const DAMAGES: Record<string, [from: number, to: number][]> = {
  'missing for 0.2 s': [
    [0, 12],
    [12.2, 40],
  ],
  'doubled for 0.2 s': [
    [0, 12],
    [11.8, 40],
  ],
  'missing for 0.3 s in its last stretch, which is not a whole one': [
    [0, 36],
    [36.3, 39.5],
  ],
  'doubled at its end': [
    [0, 38],
    [33, 38],
  ],
  'in another order': [
    [0, 10],
    [15, 20],
    [10, 15],
    [20, 40],
  ],
}
for (const [damage, stretches] of Object.entries(DAMAGES))
  test(`finds audio that is ${damage}`, () =>
    assert.notDeepEqual(compare(cut(...stretches), spoken.samples).differences, []))

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
