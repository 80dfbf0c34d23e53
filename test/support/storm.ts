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
  let isOver = false
  // Nobody hears of a diagnostic of a test whose time is over.
  t.signal.addEventListener('abort', () => {
    if (!isOver) console.log(`The storm was ended, and had said:\n${table}`)
  })
  const [code] = await once(child, 'close')
  isOver = true
  t.diagnostic(table)
  assert.equal(code, 0, table)
}

/** What a storm that went wrong may take to end its world. */
const ENDING_SECONDS = 60

/** The last resort, for a storm that hangs in its own end: leaving by `exit` takes every process along. */
export function endLate(withinSeconds: number): void {
  const end = () => {
    console.log(`It did not end ${ENDING_SECONDS} s after its time of ${withinSeconds} s was over.`)
    process.exit(1)
  }
  setTimeout(end, (withinSeconds + ENDING_SECONDS) * 1000).unref()
}
