import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createLog } from './log.ts'

function capture() {
  const lines: string[] = []
  return { lines, log: createLog('debug', { write: (line) => void lines.push(line) }) }
}

test('only listed fields reach the log, whatever is handed in', () => {
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

test('a database error is logged by its codes, since its message repeats values', () => {
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

test('another error is logged with its message and frames', () => {
  const { lines, log } = capture()
  log.error({ err: new TypeError('broken') }, 'failed')
  const { err } = JSON.parse(lines[0] ?? '')
  assert.equal(err.type, 'TypeError')
  assert.equal(err.message, 'broken')
  assert.match(err.frames, /log\.test\.ts/)
})
