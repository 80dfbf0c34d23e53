import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../test/support/properties.ts'
import { areQuotesVerbatim, findQuotation } from './quotations.ts'
import { evidence } from './testing/evidence.ts'
import { sentencesOf } from './text/sentences.ts'
import type { Evidence } from './types.ts'

const WORDS = ['yes', 'no', 'maybe', '. ', '! ', '橋。', '😀', '\n', 'É']
const textOf = (words: string[]) =>
  fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((list) => list.join(' '))

test('finds the whole sentences that contain the quoted words', () => {
  const speech = evidence(
    'We met Dr. Jansen. “No,” she said, “I won’t sign!” Then she left.  No one\nfollowed.',
  )
  const cases: [quoted: string, found: string | null][] = [
    ['Then she left.', 'Then she left.'],
    ['then SHE left', 'Then she left.'],
    ['she left', 'Then she left.'],
    ["I won't sign", '“No,” she said, “I won’t sign!”'],
    ['Then she left. No one followed.', 'Then she left.  No one\nfollowed.'],
    ['met dr jansen', 'We met Dr. Jansen.'],
    ['I will sign', null],
    ['he left', null],
    ['left then', null],
    ['…', null],
    ['', null],
  ]
  for (const [quoted, found] of cases) assert.equal(findQuotation(quoted, speech), found, quoted)
})

test('returns only text that was said, whatever a model quotes', () => {
  const text = textOf([...WORDS, '\ud800'])
  fc.assert(
    fc.property(text, fc.oneof(text, fc.string()), (speech, quoted) => {
      const found = findQuotation(quoted, evidence(speech, null))
      assert.ok(found === null || (found !== '' && speech.includes(found)))
    }),
  )
})

test('finds consecutive sentences', () => {
  fc.assert(
    fc.property(textOf(WORDS), fc.nat(5), fc.integer({ min: 1, max: 4 }), (speech, first, count) => {
      const quoted = sentencesOf(speech, null)
        .slice(first, first + count)
        .join(' ')
      if (/\p{L}/u.test(quoted)) assert.ok(findQuotation(quoted, evidence(speech, null)))
    }),
  )
})

test('text in quotation marks must have been said word for word', () => {
  const speech = [evidence('I won’t sign that paper.'), evidence('It is a disgrace, really!')]
  const cases: [claim: string, holds: boolean][] = [
    ['One says “I won’t sign”.', true],
    ['One says "i won\'t sign that paper".', true],
    ['Einer sagt „a disgrace really“.', true],
    ['L’un dit « I won’t sign … paper ».', true],
    ['One says ‘I won’t sign’, another calls it "a disgrace".', true],
    ["One says 'a disgrace', and the kids' parents agree.", true],
    ['One says “I won’t sign…”.', true],
    ['One says “… I won’t sign”.', true],
    ['One says “[I] won’t sign ...”.', true],
    ['One says “[…] a disgrace [really]”.', true],
    ['The kids’ parents don’t sign.', true],
    ["In the '90s and the '00s it was signed.", true],
    ['One says “I will sign”.', false],
    ['One says “I will sign…”.', false],
    ['One says “[I] will sign”.', false],
    ['One says “I won’t sign”, another “burn it”.', false],
    ['Einer sagt „Ich unterschreibe nicht“.', false],
    ['One says "sign that pape".', false],
    ['L’un dit «\u202fjamais\u202f».', false],
    ["One says 'never ever'.", false],
  ]
  for (const [claim, holds] of cases) assert.equal(areQuotesVerbatim(claim, speech), holds, claim)
})

test('a quotation can continue in the next utterance of its conversation, and in no other', () => {
  const claim = 'One says “I won’t sign that paper, ever”.'
  const at = (position: number, text: string, conversation = 'c'): Evidence => ({
    ...evidence(text),
    position,
    conversation,
  })
  const cases: [speech: Evidence[], holds: boolean][] = [
    [[at(4, 'Well, I won’t sign'), at(5, 'that paper, ever. No.')], true],
    [[at(5, 'that paper, ever.'), at(4, 'I won’t sign')], true],
    [[at(9, 'that'), at(8, 'I won’t sign'), at(10, 'paper, ever')], true],
    [[at(4, 'I won’t sign'), at(6, 'that paper, ever')], false],
    [[at(4, 'that paper, ever'), at(5, 'I won’t sign')], false],
    [[at(4, 'I won’t sign'), at(5, 'that paper, ever', 'd')], false],
  ]
  for (const [speech, holds] of cases)
    assert.equal(areQuotesVerbatim(claim, speech), holds, JSON.stringify(speech))
})
