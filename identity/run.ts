import { isDatabaseUnavailable } from '../database/database.ts'
import { createLog } from '../platform/log.ts'
import { readSettings } from '../platform/settings.ts'
import { PRIVATE_UMASK } from '../storage/file-permissions.ts'
import { settingsSchema } from './config.ts'
import { parentOf } from './parent-process.ts'
import { type RunningStore, startStore } from './start.ts'

process.umask(PRIVATE_UMASK)

const parent = parentOf(process)
const starting = run()

// If the store outlived the backend, the next start would find its port in use.
process.on('disconnect', () => void end())
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())

async function run(): Promise<RunningStore | null> {
  try {
    const settings = readSettings(settingsSchema, process.env)
    const store = await startStore(
      settings,
      createLog(settings.LOG_LEVEL, undefined, isDatabaseUnavailable),
      parent.showAdmin,
    )
    await parent.ready(store.url)
    return store
  } catch (error) {
    await parent.failed(messageOf(error)).catch(() => {})
    process.exit(1)
  }
}

/** Requests get 5 s (start.ts); this is for a database connection that does not close. */
const FORCED_EXIT_MS = 7_000
let ending = false

async function end(): Promise<void> {
  if (ending) return
  ending = true
  setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref()
  // A start can be waiting for its parent; PostgreSQL rolls back its transaction.
  const store = await Promise.race([
    starting,
    new Promise<null>((resolve) => setImmediate(() => resolve(null))),
  ])
  await store?.stop()
  process.exit(0)
}

/** For database errors only the code: the message could repeat a part of DATABASE_URL. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The identity store failed to start'
  if (!isDatabaseUnavailable(error)) return error.message
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return `The identity store can't reach the database of DATABASE_URL${code}`
}
