import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineFailure, givenUp } from './engine-failure.ts'

const going = new AbortController().signal
const stopped = AbortSignal.abort()
const LAST = 80
const [unreadable, unavailable, interrupted, bug] = [
  new EngineFailure('unreadable', ''),
  new EngineFailure('unavailable', ''),
  new EngineFailure('interrupted', ''),
  new Error('a bug'),
]

for (const [what, error, retry, signal, expected] of [
  ['what another try can’t change', unreadable, 0, going, 'unreadable'],
  ['what another try may change', unavailable, 0, going, null],
  ['the last try', unavailable, LAST, going, 'unavailable'],
  ['a decoder that was killed', interrupted, 0, going, null],
  ['a decoder that was killed a few times', interrupted, 4, going, null],
  ['a decoder that is killed each time', interrupted, 5, going, 'unreadable'],
  ['a decoder that ended when we were told to', interrupted, 5, stopped, null],
  ['a bug', bug, 0, going, null],
  ['a bug in the last try', bug, LAST, going, 'internal'],
  ['a last try that our own stop cut off', bug, LAST, stopped, null],
] as const)
  test(`${what} is ${expected === null ? 'tried again' : `given up as ${expected}`}`, () =>
    assert.equal(givenUp(error, { retry, isLast: retry === LAST, signal }), expected))
