import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSoundDescription } from './sound-description.ts'

const recognition = (text: string, confidence: number) => ({
  text,
  confidence: 0.55,
  words: text.split(' ').map((word) => ({ text: word, confidence })),
})

for (const text of ['MUZIEK.', 'CHEERING AND APPLAUSE', 'МУЗЫКА', '♪ MÚSICA ♪'])
  test(`${text} names a sound`, () => {
    assert.ok(isSoundDescription(recognition(text, 0.05)))
    assert.ok(!isSoundDescription(recognition(text, 0.9)))
  })

for (const text of [
  'Muziek.',
  'OK.',
  'VVD',
  '2030.',
  '音楽',
  'WE NEED MORE LIGHT IN THE PARK',
  'The NATO building',
])
  test(`${text} does not name a sound`, () => assert.ok(!isSoundDescription(recognition(text, 0.05))))
