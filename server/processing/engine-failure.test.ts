import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineFailure, givenUp } from './engine-failure.ts'

const going = new AbortController().signal
const stopped = AbortSignal.abort()
const [unreadable, unavailable, bug] = [
  new EngineFailure('unreadable', ''),
  new EngineFailure('unavailable', ''),
  new Error('a bug'),
]

for (const [what, error, isLast, signal, expected] of [
  ['what another try can’t change', unreadable, false, going, 'unreadable'],
  ['what another try may change', unavailable, false, going, null],
  ['the last try', unavailable, true, going, 'unavailable'],
  ['a bug', bug, false, going, null],
  ['a bug in the last try', bug, true, going, 'internal'],
  ['a last try that our own stop cut off', bug, true, stopped, null],
] as const)
  test(`${what} is ${expected === null ? 'tried again' : `given up as ${expected}`}`, () =>
    assert.equal(givenUp(error, { isLast, signal }), expected))
