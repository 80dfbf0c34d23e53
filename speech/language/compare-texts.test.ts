import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agree, betterReading, likelierReading } from './compare-texts.ts'

/** Texts that the models returned for short Dutch answers after an English welcome. */
const ENGLISH = { language: 'en', text: 'Yeah, the thingy-goat.', confidence: 0.58 }
const DUTCH = { language: 'nl', text: 'Ja, dat denk ik ook.', confidence: 0.58 }

test('texts with mostly the same words agree', () => {
  assert.ok(agree('I will guide you through a short setup', 'I will guide you through a short set-up.'))
  assert.ok(!agree('Yeah, the thingy-goat.', "Yeah, don't think you go."))
  assert.ok(!agree('', 'Thank you.'))
  assert.ok(agree('', ''))
})

test('picks the plausible language when two English models disagree about a short utterance', () => {
  assert.equal(betterReading(ENGLISH, [DUTCH], true), DUTCH)
})

test('a language is kept unless the text in another one is clearly better', () => {
  assert.equal(betterReading(ENGLISH, [DUTCH], false), undefined)
  const german = { language: 'de', text: 'Sie sind sehr duidel', confidence: 0.4 }
  const other = { language: 'nl', text: 'Ze zijn heel duidelijk', confidence: 0.55 }
  assert.equal(betterReading(german, [other], false), other)
})

test('keeps the language when no other transcript is plausible', () => {
  const yiddish = { language: 'yi', text: 'שחופ', confidence: 0.31 }
  assert.equal(betterReading(ENGLISH, [yiddish], true), undefined)
})

test('English words that Whisper writes as German stay English', () => {
  const german = { language: 'de', text: 'The thingy-goat, yeah!', confidence: 0.79 }
  assert.equal(betterReading(ENGLISH, [german], true), undefined)
})

test('English words that Whisper reads more confidently as English are English', () => {
  const text = 'First, I will guide you through a short setup process.'
  const english = { language: 'en', text, confidence: 0.94 }
  assert.equal(betterReading({ language: 'it', text, confidence: 0.77 }, [english], false), english)
})

test('speech that is unclear as German gets the words of the language that it sounds like', () => {
  // Polish by a synthetic voice.
  const german = { language: 'de', text: 'Die Jäne von dem Ibiza-Messäb-Nja', confidence: 0.23 }
  const polish = { language: 'pl', text: 'dzisiaj rozmawiamy o nowym parku', confidence: 0.37 }
  const thai = { language: 'th', text: 'อย่างกลับอีวิธาเมษธ์มีอีก', confidence: 0.34 }
  assert.equal(
    likelierReading(german, [polish], () => 0.55),
    polish,
  )
  assert.equal(
    likelierReading(german, [polish, thai], () => 0.22),
    undefined,
  )
  const clear = { language: 'de', text: 'viele Menschen', confidence: 0.6 }
  assert.equal(
    likelierReading(clear, [polish], () => 0.55),
    undefined,
  )
})
