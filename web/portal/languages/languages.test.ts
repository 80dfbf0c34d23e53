import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { chooseLanguage, clockTime, LANGUAGES, lengthInWords, spokenLanguages } from './languages.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import type { TextKey } from './texts.ts'
import { uk } from './uk.ts'

const CATALOGUES = { en, nl, de, fr, es, it, pt, pl, uk, ar }

test('every language has its own name, and the same values in each text as English', () => {
  assert.deepEqual(Object.keys(CATALOGUES), Object.keys(LANGUAGES))
  const valuesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
  for (const [code, texts] of Object.entries(CATALOGUES)) {
    assert.equal(texts.language, LANGUAGES[code as keyof typeof LANGUAGES])
    for (const key of Object.keys(en) as TextKey[])
      assert.deepEqual(valuesIn(texts[key]), valuesIn(en[key]), `${code} ${key}`)
  }
})

test('every text is shown by some screen', () => {
  const root = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: root, exclude: ['languages/??.ts', '**/*.test.ts'] })
  const code = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const unused = Object.keys(en).filter((key) => !code.includes(`'${key}'`))
  assert.deepEqual(unused, [])
})

test('every problem has a title, and a help in whole sentences', () => {
  const titles = (Object.keys(en) as TextKey[]).filter((key) => /^error(?!.*(Help|Unsent)$)/.test(key))
  assert.ok(titles.length > 10)
  for (const [code, texts] of Object.entries(CATALOGUES))
    for (const title of titles) {
      const help = texts[`${title}Help` as TextKey]
      assert.match(help ?? '', /[^.]{10,}\.$/, `${code} ${title}`)
      assert.doesNotMatch(texts[title], /\.$/, `${code} ${title}`)
    }
})

const project = (language: string, ...languages: string[]) => ({ language, languages })

const CHOICES: [name: string, expected: string, ...Parameters<typeof chooseLanguage>][] = [
  ['what the participant chose', 'fr', project('nl'), ['de'], 'fr'],
  ['the project’s language', 'nl', project('nl'), ['de-DE', 'nl']],
  ['the browser’s, if the project offers it', 'de', project('nl', 'de'), ['de-AT', 'en']],
  ['the browser’s, if the project detects languages', 'uk', project('auto'), ['uk-UA']],
  ['the first offered one that the page has', 'pl', project('tr', 'pl'), ['el']],
  ['English for a browser in a language that the page does not have', 'en', project('auto'), ['el']],
  ['the browser’s without a project', 'ar', null, ['ar-EG']],
  ['the browser’s instead of a choice that the page does not have', 'es', project('auto'), ['es'], 'xx'],
]
for (const [name, expected, ...given] of CHOICES)
  test(`the page is in ${name}`, () => assert.equal(chooseLanguage(...given), expected))

test('the languages to speak are those of the project, without detection', () => {
  assert.deepEqual(spokenLanguages(project('auto')), [])
  assert.deepEqual(spokenLanguages(project('auto', 'nl', 'tr')), ['nl', 'tr'])
  assert.deepEqual(spokenLanguages(project('nl', 'nl', 'de')), ['nl', 'de'])
})

test('lengths in words are never nothing, and have minutes when they are long', () => {
  assert.deepEqual(
    [0, 1_400, 119_000, 125_000].map((ms) => lengthInWords('en', ms)),
    ['1 second', '1 second', '119 seconds', '2 minutes'],
  )
  assert.deepEqual([lengthInWords('pl', 5_000), lengthInWords('ar', 180_000)], ['5 sekund', '3 دقائق'])
})

test('times have hours only when they need them', () => {
  assert.deepEqual([0, 5_999, 65_000, 3_600_000, 37_325_000].map(clockTime), [
    '0:00',
    '0:05',
    '1:05',
    '1:00:00',
    '10:22:05',
  ])
})
