import { execFileSync } from 'node:child_process'

/** Mounts a tmpfs of this size, which the caller unmounts. False where mounting is not permitted: only root can. */
export function mountSmall(folder: string, megabytes = 1): boolean {
  const options = `size=${megabytes}m,mode=700`
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
