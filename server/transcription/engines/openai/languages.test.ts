import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { languageCode } from './languages.ts'

test('converts names and codes of languages to ISO 639-1', () => {
  const cases: [string, string | null][] = [
    ['english', 'en'],
    ['Dutch', 'nl'],
    ['flemish', 'nl'],
    ['german', 'de'],
    ['haitian creole', 'ht'],
    ['mandarin', 'zh'],
    ['chinese', 'zh'],
    ['burmese', 'my'],
    ['greek', 'el'],
    ['norwegian', 'no'],
    ['nynorsk', 'nn'],
    ['javanese', 'jv'],
    ['en', 'en'],
    ['en-US', 'en'],
    ['pt_BR', 'pt'],
    ['eng', 'en'],
    ['yue', null],
    ['klingon', null],
    ['', null],
    ['xx', null],
  ]
  for (const [said, code] of cases) assert.equal(languageCode(said), code, said)
})

test('returns two letters or null for any name', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{2,3}(-[a-z]{1,9})?$/)), (said) => {
      assert.match(languageCode(said) ?? 'no', /^[a-z]{2}$/)
    }),
  )
})
