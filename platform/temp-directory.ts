import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive } from './is-process-alive.ts'

/** A folder for recordings on their way, which goes when it is left. */
export interface TempDirectory extends AsyncDisposable {
  path: string
}

/** In a container the next process has the number of the one that was killed: the mark tells them apart. */
const PROCESS_MARK = randomBytes(4).toString('hex')
const NAME = /^parley-scratch-(\d+)-(?:([0-9a-f]{8})-)?/

/** Its name tells whose it is, so that others can take away what a killed process left. */
export async function createTempDirectory(): Promise<TempDirectory> {
  const path = await mkdtemp(join(tmpdir(), `parley-scratch-${process.pid}-${PROCESS_MARK}-`))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** What people said must not lie about because a process was killed in the middle of it. */
export async function removeAbandonedTempDirectories(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, mark] = NAME.exec(name) ?? []
    if (pid !== undefined && isAbandoned(Number(pid), mark))
      await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

const isAbandoned = (pid: number, mark: string | undefined): boolean =>
  pid === process.pid ? mark !== PROCESS_MARK : !isProcessAlive(pid)
