import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../platform/log.ts'
import { EmbeddedPostgres } from '../server/embedded/postgres.ts'

/** Calls `build` with a stack for the resources that it opens. If it fails, they are disposed of; otherwise its result owns them. */
export async function buildOrDispose<T>(build: (stack: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const stack = new AsyncDisposableStack()
  try {
    return await build(stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** Starts a PostgreSQL in a new temp directory. The stack stops it and removes the directory. */
export async function startPostgres(
  stack: AsyncDisposableStack,
  settings: string[] = [],
): Promise<{ folder: string; url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL can run under another account.
  await chmod(folder, 0o711)
  const postgres = new EmbeddedPostgres({
    dataDir: folder,
    password: 'bench',
    log: createLog('warn'),
    settings,
  })
  stack.defer(() => postgres.stop())
  return { folder, url: await postgres.start() }
}
