import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Runs a folder's `run.ts` in a process of its own, as by hand: whatever a fault left half open ends with it. */
export async function runStorm(t: TestContext, folder: string, args: string[]): Promise<void> {
  const seed = process.env['FAULTS_SEED'] ?? randomBytes(4).toString('hex')
  t.diagnostic(`FAULTS_SEED=${seed} repeats it`)
  const child = spawn(process.execPath, [join(folder, 'run.ts'), `--seed=${seed}`, ...args], {
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
}
