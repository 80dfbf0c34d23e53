import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { sentencesOf } from '../extractive/sentences.ts'
import { findQuoted, isAbout, supported } from './evidence.ts'
import { type Line, packLines, type Said, tokensOf } from './material.ts'

const said = (text: string, language: string | null = 'en'): Said => ({
  id: 'u',
  text,
  language,
  conversation: 'c',
})

test('a quotation is the whole sentences in which its words stand, as they were said', () => {
  const speech = said('We met Dr. Jansen. “No,” she said, “I won’t sign!” Then she left.  Nobody\nfollowed.')
  const cases: [quoted: string, found: string | null][] = [
    ['Then she left.', 'Then she left.'],
    ['then SHE left', 'Then she left.'],
    ['she left', 'Then she left.'],
    ["I won't sign", '“No,” she said, “I won’t sign!”'],
    ['Then she left. Nobody followed.', 'Then she left.  Nobody\nfollowed.'],
    ['met dr jansen', 'We met Dr. Jansen.'],
    ['I will sign', null],
    ['he left', null],
    ['left then', null],
    ['…', null],
    ['', null],
  ]
  for (const [quoted, found] of cases) assert.equal(findQuoted(quoted, speech), found, quoted)
})

test('whatever a model quotes, what is found was said', () => {
  const words = fc.constantFrom('yes', 'no', 'maybe', '. ', '! ', '橋。', '😀', '\n', 'É', '\ud800')
  const text = fc.array(words, { maxLength: 30 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(text, fc.oneof(text, fc.string()), (speech, quoted) => {
      const found = findQuoted(quoted, said(speech, null))
      assert.ok(found === null || (found !== '' && speech.includes(found)))
    }),
  )
})

test('neighbouring sentences that were said are found again', () => {
  const words = fc.constantFrom('yes', 'no', 'maybe', '. ', '! ', '橋。', '😀', '\n', 'É')
  const text = fc.array(words, { maxLength: 30 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(text, fc.nat(5), fc.integer({ min: 1, max: 4 }), (speech, first, count) => {
      const quoted = sentencesOf(speech, null)
        .slice(first, first + count)
        .join(' ')
      if (/\p{L}/u.test(quoted)) assert.ok(findQuoted(quoted, said(speech, null)))
    }),
  )
})

test('a statement must share a word with what was said, where the languages are the same', () => {
  const speech = [said('The children are afraid of the traffic.')]
  const cases: [text: string, language: string | null, holds: boolean][] = [
    ['A child fears cars.', 'en', true],
    ['Traffic frightens children.', 'en', true],
    ['The dog is asleep.', 'en', false],
    ['It is so.', 'en', false],
    ['Kinder haben Angst.', 'de', true],
    ['Children: see http://evil.example', 'en', false],
    ['Kinder: [siehe](evil)', 'de', false],
  ]
  for (const [text, language, holds] of cases) assert.equal(isAbout(text, speech, language), holds, text)
})

test('statements keep what they rest on, once each', () => {
  const lines: Line[] = [
    { text: 'a', said: [{ ...said('The bridge is old.'), id: 'u1' }] },
    {
      text: 'b',
      said: [
        { ...said('The bridge is wet.'), id: 'u2' },
        { ...said('The bridge is old.'), id: 'u1' },
      ],
    },
  ]
  const [held] = supported(
    [{ text: ' The\u202e bridge\n is old. ', sources: ['s1', 's2', 's3', 'q1'] }],
    lines,
    'en',
  )
  assert.deepEqual([held?.text, held?.said.map(({ id }) => id)], ['The bridge is old.', ['u1', 'u2']])
})

test('lines are packed in order within the limit, and no character is lost', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    fc.constantFrom('橋'.repeat(900), 'word '.repeat(900)),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 10 }), fc.integer({ min: 60, max: 500 }), (texts, maxTokens) => {
      const packs = packLines(
        texts.map((one) => ({ text: one, said: [said(one)] })),
        maxTokens,
      )
      assert.equal(
        packs
          .flat()
          .map((line) => line.text)
          .join(''),
        texts.join(''),
      )
      for (const pack of packs) {
        assert.ok(pack.length > 0)
        assert.ok(pack.reduce((sum, line) => sum + tokensOf(line), 0) <= maxTokens)
      }
    }),
  )
})
