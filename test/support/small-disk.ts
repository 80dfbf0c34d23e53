import { execFileSync } from 'node:child_process'

/** Mounts a disk of 1 MiB there, which the test unmounts. False where that is not allowed: by root alone. */
export function mountSmall(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
