import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** The environment variable by which threads and child processes use the compile cache of this process. Empty if it has none. */
export function compileCacheVariable(): { NODE_COMPILE_CACHE?: string } {
  // Node appends a folder for its version.
  const folder = getCompileCacheDir()
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {}
}
