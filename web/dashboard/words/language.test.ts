import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage } from './language.ts'

test('the chosen language wins, then the first of the browser that the dashboard has, then English', () => {
  assert.equal(chooseLanguage('nl', ['de-DE', 'en']), 'nl')
  assert.equal(chooseLanguage(null, ['ja', 'de-AT', 'en']), 'de')
  assert.equal(chooseLanguage('tlh', ['ES']), 'es')
  assert.equal(chooseLanguage(null, ['ja']), 'en')
  assert.equal(chooseLanguage('toString', []), 'en')
})
