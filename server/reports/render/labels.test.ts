import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsFor } from './labels.ts'
import { LANGUAGES } from './languages.ts'

const languages: [tag: string, themes: string, people: string, date: string, quoted: string][] = [
  ['en', 'Themes', '1 person', 'March 5, 2026', '“x”'],
  ['en-GB', 'Themes', '1 person', '5 March 2026', '“x”'],
  ['de', 'Themen', '1 Person', '5. März 2026', '„x“'],
  ['de-AT', 'Themen', '1 Person', '5. März 2026', '„x“'],
  ['nl', 'Thema’s', '1 persoon', '5 maart 2026', '‘x’'],
  ['fr', 'Thèmes', '1 personne', '5 mars 2026', '«\u202fx\u202f»'],
  ['es', 'Temas', '1 persona', '5 de marzo de 2026', '«x»'],
  ['it', 'Temi', '1 persona', '5 marzo 2026', '«x»'],
  ['pl', 'Themes', '1 person', 'March 5, 2026', '“x”'],
  ['ar', 'Themes', '1 person', 'March 5, 2026', '“x”'],
  ['no language', 'Themes', '1 person', 'March 5, 2026', '“x”'],
  ['', 'Themes', '1 person', 'March 5, 2026', '“x”'],
]
for (const [tag, themes, people, date, quoted] of languages) {
  test(`labels for ${tag || 'no tag'}: “${themes}”, ${date}, ${quoted}`, () => {
    const labels = labelsFor(tag)
    assert.deepEqual(
      [labels.themes, labels.peopleCount(1), labels.date('2026-03-05T23:59:59.999Z'), labels.quoted('x')],
      [themes, people, date, quoted],
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
      if (name === 'people' || name === 'notInFont') for (const form of word) assert.match(form, /#/)
    }
    for (const forms of Object.values(labels.leftOutFor)) for (const form of forms) assert.match(form, /#/)
    assert.match(labels.page(3, 12), /3.*12/)
    assert.match(labels.ofPeople(3, 12), /3.*12/)
    for (const say of [labels.inFavour, labels.against]) assert.match(say(3), /3/)
    assert.match(labelsFor(language).peopleCount(1234), /1.?234/)
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
