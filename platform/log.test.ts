import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
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

test('logs which server is the new primary after a failover', () => {
  const { lines, log } = capture()
  log.warn({ component: 'database', host: 'standby.example', port: 5432 }, 'PostgreSQL failed over')
  const { host, port } = JSON.parse(lines[0] ?? '')
  assert.deepEqual([host, port], ['standby.example', 5432])
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

const PROGRAM = `
  import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
  import { openLogOutput } from ${JSON.stringify(import.meta.resolve('../server/start/log-output.ts'))}
  const log = createLog('info', openLogOutput(process.argv[1]))
  log.info({ component: 'jobs', count: 3, request_id: 'r1' }, 'Hello')
  log.warn({ request_id: 'r2', err: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }) }, 'Failed')
  log.error({ err: new TypeError('broken') }, 'Failed')`

function outputOf(format: string): string[] {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, format], {
    encoding: 'utf8',
  })
  return stripVTControlCharacters(stdout).trimEnd().split('\n')
}

test('lines are JSON where standard output is not a terminal', () => {
  assert.deepEqual(
    outputOf('auto').map((line) => JSON.parse(line).msg),
    ['Hello', 'Failed', 'Failed'],
  )
})

test('readable lines show time, level, component, fields and errors', () => {
  const lines = outputOf('pretty').map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))
  assert.deepEqual(lines.slice(0, 5), [
    'INFO  jobs: Hello count=3',
    'WARN  Failed request_id=r2',
    '  refused (ECONNREFUSED)',
    'ERROR Failed',
    '  broken',
  ])
  assert.match(lines[5] ?? '', /^ {4}at /)
})
