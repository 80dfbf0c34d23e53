import type { Stats } from 'node:fs'
import { chmod, lstat, opendir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../platform/log.ts'

/** Everything that the service writes is for its own account alone. */
export const PRIVATE_UMASK = 0o077

/** What group and others may do. */
const OTHERS = 0o077

/** Written when everything below a folder has been looked at, so that the next start need not look again. */
const MARKER = 'modes-repaired'

interface RepairOptions {
  signal: AbortSignal
  log: Logger
}

/** Takes from other accounts all but `allowed`, and never adds anything. Returns whether there was something to take. */
export async function closeToOthers(path: string, allowed = 0): Promise<boolean> {
  const found = await lstat(path).catch(ignoring('ENOENT'))
  return found !== null && close(path, found, allowed)
}

/** Links are left alone: what they lead to may be somebody else's. */
async function close(path: string, found: Stats, allowed = 0): Promise<boolean> {
  const excess = found.mode & OTHERS & ~allowed
  if (excess === 0 || !(found.isFile() || found.isDirectory())) return false
  await chmod(path, found.mode & 0o7777 & ~excess)
  return true
}

/**
 * Closes a folder that holds nothing but what is ours. A folder that somebody shares with other programs, /srv for example, stays
 * as it is: what is ours in it is closed each by itself.
 */
export async function closeOwnFolder(
  folder: string,
  isOurs: (name: string) => boolean,
  allowed = 0,
): Promise<boolean> {
  const names = await readdir(folder).catch(ignoring('ENOENT'))
  return (names?.every(isOurs) ?? false) && closeToOthers(folder, allowed)
}

/**
 * Closes a tree to other accounts, in two steps. Its top folders are closed before this resolves, and with them all below.
 * Versions before this one made folders that everybody could read, so that the modes below are repaired as well; among a million
 * files that takes minutes, which the returned function does in the background. Null: there is nothing to repair.
 */
export async function protectTree(
  folder: string,
  names: readonly string[],
): Promise<((options: RepairOptions) => Promise<void>) | null> {
  const ours = new Set([...names, MARKER])
  const tops = names.map((name) => join(folder, name))
  let wasOpen = await closeOwnFolder(folder, (name) => ours.has(name))
  for (const top of tops) wasOpen = (await closeToOthers(top)) || wasOpen
  const marker = join(folder, MARKER)
  if (!wasOpen && (await lstat(marker).catch(ignoring('ENOENT'))) !== null) return null
  return async ({ signal, log }) => {
    const counts = { repaired: 0, failed: 0 }
    for (const top of tops) await repair(top, signal, counts)
    if (signal.aborted) return
    if (counts.failed > 0)
      log.warn(
        { count: counts.failed, component: 'files' },
        'files with open permissions could not be changed: they belong to another account',
      )
    else await writeFile(marker, '', { mode: 0o600 })
    if (counts.repaired > 0)
      log.info({ count: counts.repaired, component: 'files' }, 'removed permissions of other accounts')
  }
}

/** One after the other, so that requests keep the thread pool to themselves. */
async function repair(
  folder: string,
  signal: AbortSignal,
  counts: { repaired: number; failed: number },
): Promise<void> {
  const entries = await opendir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))
  for await (const entry of entries ?? []) {
    if (signal.aborted) return
    const path = join(folder, entry.name)
    try {
      if (await closeToOthers(path)) counts.repaired += 1
    } catch (error) {
      // Removed in this moment, or not ours.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') counts.failed += 1
    }
    if (entry.isDirectory()) await repair(path, signal, counts)
  }
}

const ignoring =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): null => {
    if (codes.includes(error.code ?? '')) return null
    throw error
  }
