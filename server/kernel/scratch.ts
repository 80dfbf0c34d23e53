import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './is-alive.ts'

/** A folder for recordings on their way, which goes when it is left. */
export interface Scratch extends AsyncDisposable {
  path: string
}

const NAME = /^parley-scratch-(\d+)-/

/** Its name tells whose it is, so that others can take away what a killed process left. */
export async function openScratch(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), `parley-scratch-${process.pid}-`))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** What people said must not lie about because a process was killed in the middle of it. */
export async function removeAbandonedScratch(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0)
    if (pid > 0 && !isAlive(pid)) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
