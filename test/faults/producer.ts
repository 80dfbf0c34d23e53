import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, isDatabaseAway, openDatabase, type Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { enableFaultPoints } from '../../platform/fault-points.ts'
import { createEmitter } from '../../server/webhooks/index.ts'
import { type Item, itemOf } from './occurrences.ts'

/**
 * Stands in for the processing of conversations: a change of state (here, a row in `faults_ledger`) and its event commit in
 * one transaction. What it does is a list that the seed fixes, so that one that was killed begins again where it was not
 * acknowledged, with the same keys: the ledger in the database, not this process, is the truth about what was committed.
 *
 * Says `committed <index>` or `undone <index>` when PostgreSQL has said so.
 */
export interface ProducerOptions {
  databaseUrl: string
  seed: string
  projects: string[]
  /** Index of the first item that is not known to be done. */
  first: number
  perSecond: number
  /** When the first of all was due, in milliseconds since 1970: one that comes back catches up. */
  since: number
}

const AT_ONCE = 16
const CYCLE_MS = 6_000

interface Ledger {
  faults_ledger: { key: string; project_id: string }
}

class Undone extends Error {}

enableFaultPoints(process.env['FAULT_POINTS'], process.env['FAULT_LOG'])
const { databaseUrl, seed, projects, first, perSecond, since } = JSON.parse(
  process.env['PRODUCER'] ?? '{}',
) as ProducerOptions
const { db } = openDatabase<Tables & Ledger>({
  url: databaseUrl,
  schema: 'parley',
  applicationName: 'producer',
  max: AT_ONCE,
})
const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: false })

let next = first
let isStopping = false
process.on('SIGTERM', () => {
  isStopping = true
})
process.stdout.write('producing\n')
await Promise.all(Array.from({ length: AT_ONCE }, work))
process.exit(0)

async function work(): Promise<void> {
  while (!isStopping) {
    const index = next++
    const early = since + dueAfter(index) - Date.now()
    if (early > 0) await pause(early)
    if (isStopping) return
    const item = itemOf(seed, projects, index)
    await untilDone(item)
    // The same change of state told twice, after both were acknowledged, is still one event.
    if (item.isRepeated) await untilDone(item)
    process.stdout.write(`${item.isUndone ? 'undone' : 'committed'} ${index}\n`)
  }
}

/** In bursts: in the quiet between them queues run dry and are released, which is another thing that can go wrong. */
function dueAfter(index: number): number {
  const steady = (index / perSecond) * 1000
  return steady - (steady % CYCLE_MS) / 2
}

/** An unknown outcome is tried again with the same key, as a job would be. */
async function untilDone(item: Item): Promise<void> {
  for (;;) {
    try {
      return await inTransaction(db, async (tx) => {
        const row = { key: item.key, project_id: item.projectId }
        await tx
          .insertInto('faults_ledger')
          .values(row)
          .onConflict((conflict) => conflict.column('key').doNothing())
          .execute()
        await tell(tx, item)
      })
    } catch (error) {
      if (error instanceof Undone) return
      if (!isDatabaseAway(error)) process.stdout.write(`trouble ${describe(error)}\n`)
      await pause(100)
    }
  }
}

async function tell(tx: Tx, item: Item): Promise<void> {
  await emit(tx, item.domainEvent)
  if (item.holdMs > 0) await pause(item.holdMs)
  if (item.isUndone) throw new Undone()
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${'code' in error ? String(error.code) : ''} ${error.message}`.replaceAll('\n', ' ')
}
