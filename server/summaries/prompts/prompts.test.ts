import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptsFor } from './index.ts'

const WRITTEN = ['de', 'en', 'es', 'fr', 'it', 'nl']

test('each language has all prompts, translated, with the same keys', () => {
  for (const language of WRITTEN) {
    const prompts = promptsFor(language)
    assert.ok(prompts.rules('=====fence=====').includes('=====fence====='), language)
    const keys: [keyof typeof prompts, string[]][] = [
      ['summary', ['title', 'points', 'tags']],
      ['notes', ['notes', 'quotations']],
      ['fewerNotes', ['notes']],
      ['report', ['title', 'introduction', 'sections', 'heading', 'paragraphs', 'quotations']],
    ]
    for (const [task, names] of keys)
      for (const name of names)
        assert.ok(String(prompts[task]).includes(`"${name}"`), `${language} ${task} ${name}`)
    assert.ok(prompts.rules('').includes('"sources"'), language)
    for (const word of ['=====fence=====', '[c1]', '[h1]', '"support"', '"contradict"', '"not_mentioned"'])
      assert.ok(prompts.verify('=====fence=====').includes(word), `${language} verify ${word}`)
    for (const word of ['=====fence=====', '[c1]', '[h1]', '"words"', '"difference"', '"none"', '"opposite"'])
      assert.ok(prompts.compare('=====fence=====').includes(word), `${language} compare ${word}`)
    if (language === 'en') continue
    for (const [name, text] of Object.entries(prompts))
      assert.notEqual(
        String(text),
        String(Object.entries(promptsFor('en')).find(([other]) => other === name)?.[1]),
        name,
      )
  }
})

test('has singular and plural forms', () => {
  for (const language of WRITTEN) {
    const { extractIntroduction, introduction } = promptsFor(language)
    for (const say of [extractIntroduction, introduction]) {
      assert.ok(!/\d/.test(say(1)), say(1))
      assert.ok(say(12).includes('12'), say(12))
    }
  }
})

test('uses English prompts for other languages, and one language for its regions', () => {
  assert.equal(promptsFor('pt-BR').language, 'Answer in Brazilian Portuguese.')
  assert.equal(promptsFor('de-AT').language, 'Schreibe auf Deutsch.')
  assert.equal(promptsFor(null).language, 'Write in the language of the material.')
  for (const nonsense of ['', 'constructor', '!!', 'x'.repeat(99)])
    assert.match(promptsFor(nonsense).language, /^Answer in /)
})
