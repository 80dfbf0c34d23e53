import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The last commit of version 0.1.0. */
const RELEASE = 'bafd1a334ea2b8ff042ab63f1c3783ee5c20a171'

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: 'ignore' })

function hasRelease(): boolean {
  try {
    git('cat-file', '-e', `${RELEASE}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** A shallow clone fetches the commit. */
function requireRelease(): void {
  if (hasRelease()) return
  try {
    git('fetch', '--depth', '1', 'origin', RELEASE)
  } catch {
    throw new Error(
      `Upgrade tests need commit ${RELEASE}, and it cannot be fetched. Run: git fetch --unshallow`,
    )
  }
}

/** Unpacks the previous release, or one path of it, into a folder. */
export function unpackRelease(folder: string, path = '.'): void {
  requireRelease()
  const archive = execFileSync('git', ['archive', RELEASE, path], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
}
