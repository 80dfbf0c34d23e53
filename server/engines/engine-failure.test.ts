import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineFailure, finalFailure } from './engine-failure.ts'

const going = new AbortController().signal
const stopped = AbortSignal.abort()
const [unreadable, unavailable, interrupted, bug] = [
  new EngineFailure('unreadable', ''),
  new EngineFailure('unavailable', ''),
  new EngineFailure('interrupted', ''),
  new Error('a bug'),
]

const killed = (times: number) => ({ interrupted: times })

for (const [what, error, data, isLast, signal, expected] of [
  ['what another try can’t change', unreadable, {}, false, going, 'unreadable'],
  ['what another try may change', unavailable, {}, false, going, null],
  ['the last try', unavailable, {}, true, going, 'unavailable'],
  ['a decoder that was killed', interrupted, {}, false, going, null],
  ['a decoder that was killed after many other troubles', interrupted, {}, true, going, null],
  ['a decoder that was killed a few times', interrupted, killed(4), false, going, null],
  ['a decoder that is killed each time', interrupted, killed(5), false, going, 'unreadable'],
  ['a decoder that ended when we were told to', interrupted, killed(5), false, stopped, null],
  ['a bug', bug, {}, false, going, null],
  ['a bug in the last try', bug, {}, true, going, 'internal'],
  ['a last try that our own stop cut off', bug, {}, true, stopped, null],
] as const)
  test(`${what} is ${expected === null ? 'retried' : `final as ${expected}`}`, () =>
    assert.equal(finalFailure(error, { data, isLast, signal }), expected))
