import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognitionOf } from '../models/confidence.ts'
import { digestOf, isSlur, withConfirmedSlurs } from './slurs.ts'

/** Each word is one token with its probability. The listed word stands for a slur. */
const recognitionWith = (...words: [text: string, probability: number][]) =>
  recognitionOf(
    words.map(([, probability], token) => ({ token, probability })),
    (tokens) => tokens.map((token) => ` ${words[token]?.[0]}`).join(''),
  )

const isListed = (word: string): boolean => /^listed\b/i.test(word)

async function check(probability: number, second: string) {
  let asked = 0
  const first = recognitionWith(['You', 0.99], ['Listed,', probability], ['he', 0.98], ['said.', 0.97])
  const recogniseAgain = async (): Promise<string> => {
    asked++
    return second
  }
  const { text, confidence } = await withConfirmedSlurs(first, 'en', recogniseAgain, isListed)
  return { text, confidence, asked }
}

test('an uncertain slur is replaced if a second recognition does not contain it', async () => {
  const result = await check(0.4, 'You lifted, he said.')
  assert.equal(result.text, 'You [unclear], he said.')
  assert.equal(result.asked, 1)
  assert.ok(Math.abs(result.confidence - 0.4) < 1e-9)
})

test('an uncertain slur that a second recognition confirms is kept', async () => {
  assert.equal((await check(0.4, 'you listed he said')).text, 'You Listed, he said.')
})

test('a certain slur is printed as it was said, without a second recognition', async () => {
  assert.deepEqual((await check(0.95, '')).asked, 0)
})

test('words are compared by digest, in lower case and without punctuation, in their own language', () => {
  assert.equal(digestOf('word').length, 16)
  // The German word for Roma and Sinti that they reject; a brand name elsewhere.
  assert.ok(isSlur('Zigeuner!', 'de'))
  assert.ok(!isSlur('Zigeuner', 'fr') && !isSlur('Nachbar', 'de') && !isSlur('anything', 'xx'))
})
