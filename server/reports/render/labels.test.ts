import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsFor } from './labels.ts'
import { LANGUAGES } from './languages.ts'

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
  test(`labels for ${tag || 'no tag'}: “${contents}”, ${date}, ${quoted}`, () => {
    const labels = labelsFor(tag)
    assert.deepEqual(
      [labels.contents, labels.basis(1), labels.date('2026-03-05T23:59:59.999Z'), labels.quoted('x')],
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
  test(`${tag} has the direction ${direction} and the tag ${language}`, () => {
    const labels = labelsFor(tag)
    assert.deepEqual([labels.language, labels.direction], [language, direction])
  })
}

for (const [language, labels] of Object.entries(LANGUAGES)) {
  test(`${language} has every label, with a placeholder for every number`, () => {
    for (const [name, word] of Object.entries(labels)) {
      if (typeof word === 'string') assert.ok(word.trim().length > 0, name)
      if (name === 'basedOn' || name === 'notInFont') for (const form of word) assert.match(form, /#/)
    }
    for (const forms of Object.values(labels.leftOutFor)) for (const form of forms) assert.match(form, /#/)
    assert.match(labels.page(3, 12), /3.*12/)
    assert.match(labelsFor(language).basis(1234), /1.?234/)
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
  test(`${seconds} seconds are ${shown}`, () => assert.equal(labelsFor('de').time(seconds), shown))

test('lists the reasons for left-out conversations, or returns null', () => {
  const none = { not_finished: 0, failed: 0, empty: 0, erased: 0, over_limit: 0 }
  const some = { ...none, not_finished: 2, empty: 1, over_limit: 1500 }
  assert.equal(labelsFor('en').leftOutText(none), null)
  assert.equal(
    labelsFor('en').leftOutText(some),
    'Left out: 2 not finished yet, 1 without words, 1,500 beyond the limit',
  )
  assert.equal(
    labelsFor('fr').leftOutText({ ...none, erased: 2, failed: 1 }),
    'Non prises en compte : 1 inaudible, 2 retirées',
  )
})

test('omits an invalid date', () => assert.equal(labelsFor('en').date('yesterday'), ''))
