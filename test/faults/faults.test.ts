import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { runFaults } from './faults.ts'
import { tableOf } from './table.ts'

it('loses nothing, makes nothing up and repeats only what it must, whatever dies', async (t) => {
  const seed = process.env['FAULTS_SEED'] ?? randomBytes(4).toString('hex')
  t.diagnostic(`FAULTS_SEED=${seed} repeats it`)
  const outcome = await runFaults({
    seed,
    seconds: 24,
    events: 300,
    kills: 24,
    dispatchers: 2,
    latecomers: 4,
  })
  const table = tableOf(outcome)
  t.diagnostic(table)
  assert.equal(outcome.violations.size, 0, table)
})
