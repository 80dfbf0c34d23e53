import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, isDatabaseUnavailable, openDatabase } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { enableFaultPoints } from '../../../platform/fault-points.ts'
import { readFaultPoints } from '../../../server/fault-points.ts'
import { createEmitter } from '../../../server/webhooks/index.ts'
import { type Item, itemAt } from './domain-events.ts'
import type { ProducerOptions } from './producer.ts'

/**
 * Stands in for the processing of conversations: a change of state (a row in `chaos_ledger`) and its event commit in one
 * transaction. The seed fixes the list of items, so that a restarted producer continues with the first item that PostgreSQL did
 * not confirm. Prints `committed <index>` or `rolled-back <index>` for each item.
 */
const CONCURRENCY = 16
const CYCLE_MS = 6_000

interface Ledger {
  chaos_ledger: { key: string; project_id: string }
}

class RolledBack extends Error {}

const points = process.env['FAULT_POINTS']
if (points) enableFaultPoints(readFaultPoints(points), process.env['FAULT_LOG'])
const { databaseUrl, seed, projects, first, perSecond, since } = JSON.parse(
  process.env['PRODUCER'] ?? '{}',
) as ProducerOptions
const { db } = openDatabase<Tables & Ledger>({
  url: databaseUrl,
  schema: 'parley',
  applicationName: 'producer',
  max: CONCURRENCY,
})
const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: false })

let next = first
let isStopping = false
process.on('SIGTERM', () => {
  isStopping = true
})
process.stdout.write('producing\n')
await Promise.all(Array.from({ length: CONCURRENCY }, produce))
process.exit(0)

async function produce(): Promise<void> {
  while (!isStopping) {
    const index = next++
    const early = since + dueAfter(index) - Date.now()
    if (early > 0) await pause(early)
    if (isStopping) return
    const item = itemAt(seed, projects, index)
    await commit(item)
    // The same change of state, emitted again after its commit was confirmed, is still one event.
    if (item.isRepeated) await commit(item)
    process.stdout.write(`${item.isRolledBack ? 'rolled-back' : 'committed'} ${index}\n`)
  }
}

/** In bursts: between them endpoint queues run empty and their leases are released. */
function dueAfter(index: number): number {
  const steady = (index / perSecond) * 1000
  return steady - (steady % CYCLE_MS) / 2
}

/** Repeats a transaction whose outcome is unknown, with the same key, as a job would. */
async function commit({ key, projectId, event, holdMs, isRolledBack }: Item): Promise<void> {
  for (;;) {
    try {
      return await inTransaction(db, async (tx) => {
        await tx
          .insertInto('chaos_ledger')
          .values({ key, project_id: projectId })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .execute()
        await emit(tx, event)
        if (holdMs > 0) await pause(holdMs)
        if (isRolledBack) throw new RolledBack()
      })
    } catch (error) {
      if (error instanceof RolledBack) return
      if (!isDatabaseUnavailable(error)) process.stdout.write(`error ${describe(error)}\n`)
      await pause(100)
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${'code' in error ? String(error.code) : ''} ${error.message}`.replaceAll('\n', ' ')
}
