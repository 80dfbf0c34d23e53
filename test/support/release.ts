import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The last commit of version 0.1.0. */
const RELEASE = 'bafd1a334ea2b8ff042ab63f1c3783ee5c20a171'

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: 'ignore' })

function hasCommit(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** A shallow clone fetches the commit. */
function requireCommit(commit: string): void {
  if (hasCommit(commit)) return
  try {
    git('fetch', '--depth', '1', 'origin', commit)
  } catch {
    throw new Error(
      `Upgrade tests need commit ${commit}, and it cannot be fetched. Run: git fetch --unshallow`,
    )
  }
}

/** Unpacks the previous release, or one path of it, into a folder. */
export function unpackRelease(folder: string, path = '.', commit = RELEASE): void {
  requireCommit(commit)
  const archive = execFileSync('git', ['archive', commit, path], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
}

/**
 * The program of version 0.1.0, or of a later commit, with its own packages, in a folder of this checkout: there it finds the
 * dependencies, also the decoder, which is not allowed to follow links to other folders.
 */
export async function installRelease(commit = RELEASE): Promise<{ folder: string; main: string }> {
  const folder = await mkdtemp(join(ROOT, '.release-'))
  unpackRelease(folder, '.', commit)
  await mkdir(join(folder, 'node_modules/@parley'), { recursive: true })
  for (const name of globSync('*/package.json', { cwd: folder }).map(dirname))
    await symlink(join(folder, name), join(folder, 'node_modules/@parley', name))
  return { folder, main: join(folder, 'server/main.ts') }
}
