import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LanguageBelief, type LanguageScores } from './language-belief.ts'

const scores = (given: Record<string, number>): LanguageScores =>
  ['en', 'nl', 'de', 'pt'].map((code) => [code, given[code] ?? 0.001])

test('follows a speaker who changes the language', () => {
  const belief = new LanguageBelief(null, [])
  belief.update(scores({ en: 0.98 }), 5)
  assert.equal(belief.current, 'en')
  belief.update(scores({ nl: 0.94, en: 0.02 }), 3)
  assert.equal(belief.current, 'nl')
  belief.update(scores({ en: 0.98 }), 5)
  assert.equal(belief.current, 'en')
})

test('keeps the language during a short stretch that sounds like another one', () => {
  const belief = new LanguageBelief(null, ['nl', 'en'])
  belief.update(scores({ nl: 0.96 }), 4)
  belief.update(scores({ de: 0.53, nl: 0.15 }), 1)
  belief.update(scores({ pt: 0.42, en: 0.23, nl: 0.15 }), 1)
  assert.equal(belief.current, 'nl')
})

test('believes a language that is not offered only if it is clear', () => {
  const belief = new LanguageBelief('en', ['en'])
  belief.update(scores({ de: 0.6, en: 0.2 }), 4)
  assert.equal(belief.current, 'en')
  // The English model does not recognise English here.
  belief.update(scores({ nl: 0.94, en: 0.02 }), 3.5, true)
  assert.equal(belief.current, 'nl')
})

test('laughter does not change the language', () => {
  const belief = new LanguageBelief(null, [])
  belief.update(scores({ en: 0.98 }), 5)
  belief.update(scores({ de: 0.3, pt: 0.25, nl: 0.2, en: 0.15 }), 3, true)
  assert.equal(belief.current, 'en')
})

test('a language that is offered but that no model knows does not prevent others', () => {
  const belief = new LanguageBelief(null, ['tlh'])
  belief.update(scores({ de: 0.9, nl: 0.05 }), 4)
  assert.equal(belief.current, 'de')
})

test('takes unclear speech for Latin only if Latin is offered', () => {
  const unclear: LanguageScores = [
    ['en', 0.04],
    ['la', 0.33],
    ['hu', 0.3],
  ]
  const languageAmong = (offered: string[]) => {
    const belief = new LanguageBelief(null, offered)
    belief.update(unclear, 5)
    return belief.current
  }
  assert.deepEqual([languageAmong([]), languageAmong(['la', 'en'])], ['hu', 'la'])
})
