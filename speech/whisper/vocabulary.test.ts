import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { WHISPER } from '../models/weights.ts'
import { codeOfWhisperName, LANGUAGES, speaks, whisperNameOf } from './languages.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'

let vocabulary: Vocabulary
before(async () => {
  vocabulary = await readVocabulary(WHISPER.base)
})

test('text survives encoding and decoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      assert.equal(vocabulary.textOf(vocabulary.tokensOf(text)), text.toWellFormed())
    }),
  )
})

test('frequent words are one token', () => {
  assert.deepEqual(vocabulary.tokensOf(' the'), [264])
  assert.equal(vocabulary.tokensOf(' hello world').length, 2)
})

test('the supported languages are those of whisper', () => {
  assert.deepEqual(LANGUAGES.map(whisperNameOf).toSorted(), [...vocabulary.languages.keys()].toSorted())
  assert.deepEqual(
    [...vocabulary.languages.keys()].map(codeOfWhisperName).toSorted(),
    [...LANGUAGES].toSorted(),
  )
  assert.equal(LANGUAGES.length, 99)
})

test('maps Bokmål to Norwegian, and does not support Klingon', () => {
  assert.equal(whisperNameOf('nb'), 'no')
  assert.ok(speaks('nb') && !speaks('tlh') && !speaks('constructor'))
})
