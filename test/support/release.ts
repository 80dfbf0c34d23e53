import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The last commit of version 0.1.0. */
const RELEASE = 'bafd1a3'

const hasHistory = (): boolean => {
  try {
    execFileSync('git', ['cat-file', '-e', `${RELEASE}^{commit}`], { cwd: ROOT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The option `skip` of tests that need the previous release. */
export const skipWithoutRelease = hasHistory()
  ? false
  : `needs the git history: commit ${RELEASE} is not here`

/** Unpacks the previous release, or one path of it, into a folder. */
export function unpackRelease(folder: string, path = '.'): void {
  const archive = execFileSync('git', ['archive', RELEASE, path], { cwd: ROOT, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
}
