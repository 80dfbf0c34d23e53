import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'

const PROGRAM = `
  import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
  import { openLogOutput } from ${JSON.stringify(import.meta.resolve('./log-output.ts'))}
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
