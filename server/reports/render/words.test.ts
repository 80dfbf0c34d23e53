import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from './languages.ts'
import { wordsFor } from './words.ts'

const languages: [tag: string, contents: string, basis: string, date: string, quoted: string][] = [
  ['en', 'Contents', 'Based on 1 conversation', 'March 5, 2026', '“x”'],
  ['en-GB', 'Contents', 'Based on 1 conversation', '5 March 2026', '“x”'],
  ['de', 'Inhalt', 'Auf der Grundlage von 1 Gespräch', '5. März 2026', '„x“'],
  ['de-AT', 'Inhalt', 'Auf der Grundlage von 1 Gespräch', '5. März 2026', '„x“'],
  ['nl', 'Inhoud', 'Gebaseerd op 1 gesprek', '5 maart 2026', '‘x’'],
  ['fr', 'Sommaire', 'À partir de 1 conversation', '5 mars 2026', '«\u202fx\u202f»'],
  ['es', 'Índice', 'A partir de 1 conversación', '5 de marzo de 2026', '«x»'],
  ['it', 'Indice', 'Sulla base di 1 conversazione', '5 marzo 2026', '«x»'],
  ['pl', 'Contents', 'Based on 1 conversation', 'March 5, 2026', '“x”'],
  ['ar', 'Contents', 'Based on 1 conversation', 'March 5, 2026', '“x”'],
  ['no language', 'Contents', 'Based on 1 conversation', 'March 5, 2026', '“x”'],
  ['', 'Contents', 'Based on 1 conversation', 'March 5, 2026', '“x”'],
]
for (const [tag, contents, basis, date, quoted] of languages) {
  test(`${tag || 'no tag'} says “${contents}”, ${date}, ${quoted}`, () => {
    const words = wordsFor(tag)
    assert.deepEqual(
      [words.contents, words.basis(1), words.date('2026-03-05T23:59:59.999Z'), words.quoted('x')],
      [contents, basis, date, quoted],
    )
  })
}

const directions: [tag: string, language: string, direction: string][] = [
  ['ar', 'ar', 'rtl'],
  ['he-IL', 'he-IL', 'rtl'],
  ['iw', 'he', 'rtl'],
  ['fa', 'fa', 'rtl'],
  ['ur-PK', 'ur-PK', 'rtl'],
  ['ur-Latn', 'ur-Latn', 'ltr'],
  ['EN-gb', 'en-GB', 'ltr'],
  ['zh-Hant', 'zh-Hant', 'ltr'],
  ['"><script>', 'und', 'ltr'],
]
for (const [tag, language, direction] of directions) {
  test(`${tag} is written ${direction} and named ${language}`, () => {
    const words = wordsFor(tag)
    assert.deepEqual([words.language, words.direction], [language, direction])
  })
}

for (const [language, words] of Object.entries(LANGUAGES)) {
  test(`${language} has every word, and a place for every number`, () => {
    for (const [name, word] of Object.entries(words)) {
      if (typeof word === 'string') assert.ok(word.trim().length > 0, name)
      if (name === 'basedOn' || name === 'notInFont') for (const form of word) assert.match(form, /#/)
    }
    for (const forms of Object.values(words.leftOutFor)) for (const form of forms) assert.match(form, /#/)
    assert.match(words.page(3, 12), /3.*12/)
    assert.match(wordsFor(language).basis(1234), /1.?234/)
  })
}

const times: [seconds: number, shown: string][] = [
  [0, '0:00'],
  [9, '0:09'],
  [61, '1:01'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [36_061, '10:01:01'],
]
for (const [seconds, shown] of times)
  test(`${seconds} seconds are ${shown}`, () => assert.equal(wordsFor('de').time(seconds), shown))

test('what was left out is told by reason, and nothing where nothing was', () => {
  const none = { not_finished: 0, failed: 0, empty: 0, erased: 0, over_limit: 0 }
  const some = { ...none, not_finished: 2, empty: 1, over_limit: 1500 }
  assert.equal(wordsFor('en').without(none), null)
  assert.equal(
    wordsFor('en').without(some),
    'Left out: 2 not finished yet, 1 without words, 1,500 beyond the limit',
  )
  assert.equal(
    wordsFor('fr').without({ ...none, erased: 2, failed: 1 }),
    'Non prises en compte : 1 inaudible, 2 retirées',
  )
})

test('a date that is none is left out', () => assert.equal(wordsFor('en').date('yesterday'), ''))
