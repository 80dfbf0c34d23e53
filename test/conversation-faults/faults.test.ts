import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { it } from 'node:test'

const SHORT = ['--conversations=40', '--chunks=6', '--faults=20', '--seconds=24', '--phones=10', '--drain=90']

// In a process of its own, as by hand: whatever a fault left half open ends with it.
it('keeps every chunk, every word and each event once, whatever dies', async (t) => {
  const seed = process.env['FAULTS_SEED'] ?? randomBytes(4).toString('hex')
  t.diagnostic(`FAULTS_SEED=${seed} repeats it`)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), `--seed=${seed}`, ...SHORT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGTERM'))
  let table = ''
  child.stdout.on('data', (part: Buffer) => {
    table += part.toString()
  })
  const [code] = await once(child, 'close')
  t.diagnostic(table)
  assert.equal(code, 0, table)
})
