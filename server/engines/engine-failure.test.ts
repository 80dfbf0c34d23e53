import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineFailure, finalFailure } from './engine-failure.ts'

const running = new AbortController().signal
const stopped = AbortSignal.abort()
const [unreadable, unavailable, interrupted, bug] = [
  new EngineFailure('unreadable', ''),
  new EngineFailure('unavailable', ''),
  new EngineFailure('interrupted', ''),
  new Error('a bug'),
]

const killed = (times: number) => ({ interrupted: times })

for (const [name, error, data, isLast, signal, expected] of [
  ['a final failure', unreadable, {}, false, running, 'unreadable'],
  ['a transient failure', unavailable, {}, false, running, null],
  ['a transient failure at the last attempt', unavailable, {}, true, running, 'unavailable'],
  ['a decoder that was killed', interrupted, {}, false, running, null],
  ['a decoder that was killed at the last attempt', interrupted, {}, true, running, null],
  ['a decoder that was killed four times', interrupted, killed(4), false, running, null],
  ['a decoder that was killed five times', interrupted, killed(5), false, running, 'unreadable'],
  ['a decoder that was killed by the stop of the service', interrupted, killed(5), false, stopped, null],
  ['a bug', bug, {}, false, running, null],
  ['a bug at the last attempt', bug, {}, true, running, 'internal'],
  ['a bug at the last attempt when the service stops', bug, {}, true, stopped, null],
] as const)
  test(`${name} is ${expected === null ? 'retried' : `final as ${expected}`}`, () =>
    assert.equal(finalFailure(error, { data, isLast, signal }), expected))
