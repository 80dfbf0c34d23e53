import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialsOf } from './initials.ts'

test('initials are those of the first and the last word of a name or an address', () => {
  const names = {
    'Mara Jansen': 'MJ',
    'annemarie van der Bogaard': 'AB',
    Élodie: 'É',
    'mara@havenbrug.example': 'ME',
    李小龍: '李',
    '– –': '…',
  }
  for (const [name, initials] of Object.entries(names)) assert.equal(initialsOf(name), initials, name)
})
