import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FontName, fontFor } from './fonts.ts'

const characters: [char: string, preferred: FontName, font: FontName | null][] = [
  ['a', 'serif-italic', 'serif-italic'],
  ['ß', 'sans-bold', 'sans-bold'],
  ['Ω', 'serif', 'serif'],
  ['Ж', 'serif-italic', 'serif-italic'],
  ['é', 'serif', 'serif'],
  ['س', 'serif-italic', 'sans'],
  ['س', 'sans-bold', 'sans-bold'],
  ['ש', 'serif', 'sans'],
  ['„', 'serif-italic', 'serif-italic'],
  ['\u202f', 'serif-italic', 'serif-italic'],
  ['中', 'serif', null],
  ['あ', 'sans', null],
  ['한', 'sans-bold', null],
  ['ก', 'sans', null],
  ['अ', 'sans', null],
  ['👩\u200d🌾', 'sans', null],
  ['\uffff', 'sans', null],
]
for (const [char, preferred, font] of characters)
  test(`${char} in ${preferred} uses ${font ?? 'no font'}`, () =>
    assert.equal(fontFor(char, preferred), font))
