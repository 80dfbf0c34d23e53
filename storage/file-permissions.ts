import { chmod, lstat, opendir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../platform/log.ts'

/** Only the service's own account can access its files. */
export const PRIVATE_UMASK = 0o077

/** Permission bits of group and others. */
const OTHERS = 0o077

/** Created when all files below a folder were checked, so that the next start can skip this. */
const MARKER = 'modes-repaired'

interface RepairOptions {
  signal: AbortSignal
  log: Logger
}

/** Removes all permissions of other accounts except `allowed`; adds none. Returns whether anything changed. */
export async function restrictToOwner(path: string, allowed = 0): Promise<boolean> {
  const found = await lstat(path).catch(ignoring('ENOENT'))
  const excess = (found?.mode ?? 0) & OTHERS & ~allowed
  // Links are skipped: their targets can belong to other programs.
  if (excess === 0 || !(found?.isFile() || found?.isDirectory())) return false
  await chmod(path, found.mode & 0o7777 & ~excess)
  return true
}

/** Makes a folder private if it contains only our files. A shared one, such as /srv, stays as it is. */
export async function restrictFolderToOwner(
  folder: string,
  isOurs: (name: string) => boolean,
  allowed = 0,
): Promise<boolean> {
  const names = await readdir(folder).catch(ignoring('ENOENT'))
  return (names?.every(isOurs) ?? false) && restrictToOwner(folder, allowed)
}

/**
 * Makes a tree private in two steps. The top folders are private when this resolves, which protects everything below.
 * Earlier versions created readable files, so the modes below are repaired too. With a million files this takes minutes, so the
 * returned function does it in the background. Null if there is nothing to repair.
 */
export async function protectTree(
  folder: string,
  names: readonly string[],
): Promise<((options: RepairOptions) => Promise<void>) | null> {
  const ours = new Set([...names, MARKER])
  const tops = names.map((name) => join(folder, name))
  let wasOpen = await restrictFolderToOwner(folder, (name) => ours.has(name))
  for (const top of tops) wasOpen = (await restrictToOwner(top)) || wasOpen
  const marker = join(folder, MARKER)
  if (!wasOpen && (await lstat(marker).catch(ignoring('ENOENT'))) !== null) return null
  return async ({ signal, log }) => {
    const counts = { repaired: 0, failed: 0 }
    for (const top of tops) await repair(top, signal, counts)
    if (signal.aborted) return
    if (counts.failed > 0)
      log.warn(
        { count: counts.failed, component: 'files' },
        'Could not restrict the permissions of some files (are they owned by another account?); retrying at the next start',
      )
    else await writeFile(marker, '', { mode: 0o600 })
    if (counts.repaired > 0)
      log.info({ count: counts.repaired, component: 'files' }, 'Made stored files private')
  }
}

/** Sequential, so that the thread pool stays free for requests. */
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
      if (await restrictToOwner(path)) counts.repaired += 1
    } catch (error) {
      // Just removed, or owned by another account.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') counts.failed += 1
    }
    if (entry.isDirectory()) await repair(path, signal, counts)
  }
}

/** Returns null for errors with these codes and rethrows others. */
export const ignoring =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): null => {
    if (codes.includes(error.code ?? '')) return null
    throw error
  }
