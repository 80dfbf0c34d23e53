import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const PROMISES = {
  conversations: 'keeps every chunk, file, text entry and report, and each event once, whatever crashes',
  webhooks: 'delivers every committed event and repeats a delivery only after a fault, whatever crashes',
}

for (const [scenario, promise] of Object.entries(PROMISES))
  test(promise, async (t) => {
    const seed = process.env['FAULTS_SEED'] ?? randomBytes(4).toString('hex')
    t.diagnostic(`FAULTS_SEED=${seed} repeats this run`)
    // In a child process, so that no connection or process that a fault left open outlives the run.
    const script = join(import.meta.dirname, 'run.ts')
    const child = spawn(process.execPath, [script, scenario, '--short', `--seed=${seed}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGTERM'))
    let output = ''
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
    })
    let isOver = false
    // The reporter drops diagnostics of a test that timed out.
    t.signal.addEventListener('abort', () => {
      if (!isOver) console.log(`The run timed out after this output:\n${output}`)
    })
    const [code] = await once(child, 'close')
    isOver = true
    t.diagnostic(output)
    assert.equal(code, 0, output)
  })
