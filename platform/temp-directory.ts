import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive } from './is-process-alive.ts'

/** A directory for files in progress. Disposing removes it. */
export interface TempDirectory extends AsyncDisposable {
  path: string
}

/** Distinguishes processes with the same pid: in a container, the next process gets the pid of the killed one. */
const PROCESS_MARK = randomBytes(4).toString('hex')
/** Versions before this one called them `scratch`. */
const NAME = /^parley-(?:temp|scratch)-(\d+)-(?:([0-9a-f]{8})-)?/

/** The name contains the pid, so that another process can remove what a killed one left behind. */
export async function createTempDirectory(): Promise<TempDirectory> {
  const path = await mkdtemp(join(tmpdir(), `parley-temp-${process.pid}-${PROCESS_MARK}-`))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Removes the directories that killed processes left behind. */
export async function removeAbandonedTempDirectories(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, mark] = NAME.exec(name) ?? []
    if (pid !== undefined && isAbandoned(Number(pid), mark))
      await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

const isAbandoned = (pid: number, mark: string | undefined): boolean =>
  pid === process.pid ? mark !== PROCESS_MARK : !isProcessAlive(pid)
