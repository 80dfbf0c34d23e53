import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CutOff, recogniseCutOff } from './cut-off.ts'

/** Words with the confidence of each, as one token per word. */
function recognise(words: readonly (readonly [text: string, confidence: number])[], cutOff: CutOff) {
  const tokens = words.map(([, probability], token) => ({ token, probability }))
  const textOf = (part: readonly number[]): string => part.map((token) => ` ${words[token]?.[0]}`).join('')
  return recogniseCutOff(tokens, textOf, 0.65, cutOff)
}

// The speaker said "Unmute yourself, four or six".
const INVENTED = [
  ['On', 0.3],
  ['mute', 0.82],
  ['yourself,', 0.7],
  ['4', 0.9],
  ['or', 0.95],
] as const

test('a doubtful first word is marked where the audio begins within speech', () => {
  const { text, confidence, words } = recognise(INVENTED, { atStart: true })
  assert.equal(text, '[unclear] mute yourself, 4 or')
  assert.ok(confidence > 0.8, 'the other words are as certain as without it')
  assert.deepEqual(words[0], { text: '[unclear]', confidence: 0.3 })
  assert.equal(recognise(INVENTED, {}).text, 'On mute yourself, 4 or')
})

test('all doubtful words up to the first clear one are marked, and clear ones are kept', () => {
  const first = [
    ['Answer', 0.32],
    ['to', 0.5],
  ] as const
  assert.equal(
    recognise([...first, ...INVENTED.slice(1)], { atStart: true }).text,
    '[unclear] mute yourself, 4 or',
  )
  assert.equal(recognise(INVENTED.slice(1), { atStart: true }).text, 'mute yourself, 4 or')
})

test('speech that is cut off on both sides is marked on both', () => {
  const words = [...INVENTED, ['spouse', 0.2]] as const
  assert.equal(
    recognise(words, { atStart: true, atEnd: true }).text,
    '[unclear] mute yourself, 4 or [unclear]',
  )
})

test('few words beside a mark are as doubtful as all together', () => {
  const { confidence } = recognise(INVENTED.slice(0, 2), { atStart: true })
  assert.ok(confidence < 0.55)
  assert.equal(recognise(INVENTED.slice(0, 1), { atStart: true }).text, '[unclear]')
})
