import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createLog } from './log.ts'

function capture() {
  const lines: string[] = []
  const isAlsoExpected = ({ message }: Error) => message.startsWith('Connection')
  return { lines, log: createLog('debug', { write: (line) => void lines.push(line) }, isAlsoExpected) }
}

test('logs only the listed fields', () => {
  const { lines, log } = capture()
  log.info(
    {
      request_id: 'r1',
      token: 'canary',
      body: { deep: 'canary' },
      headers: { cookie: 'canary' },
      req: { url: '/?canary' },
    },
    'hello',
  )
  assert.doesNotMatch(lines[0] ?? '', /canary/)
  assert.equal(JSON.parse(lines[0] ?? '').request_id, 'r1')
})

test('logs database errors by code, because their messages repeat values', () => {
  const { lines, log } = capture()
  const error = Object.assign(new pg.DatabaseError('invalid input syntax: "canary"', 1, 'error'), {
    severity: 'ERROR',
    code: '22P02',
    detail: 'canary',
  })
  log.error({ err: error }, 'failed')
  assert.doesNotMatch(lines[0] ?? '', /canary/)
  assert.equal(JSON.parse(lines[0] ?? '').err.code, '22P02')
})

test('logs an expected error with message and code, without a stack trace', () => {
  const { lines, log } = capture()
  const refused = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
  log.warn({ err: refused }, 'failed')
  log.warn({ err: new Error('Connection terminated') }, 'failed')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).err),
    [
      { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
      { type: 'Error', message: 'Connection terminated' },
    ],
  )
})

test('logs other errors with message and stack frames', () => {
  const { lines, log } = capture()
  log.error({ err: new TypeError('broken') }, 'failed')
  const { err } = JSON.parse(lines[0] ?? '')
  assert.equal(err.type, 'TypeError')
  assert.equal(err.message, 'broken')
  assert.match(err.frames, /log\.test\.ts/)
})
