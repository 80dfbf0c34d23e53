import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The programs of the decoder as plain JavaScript, made by `media/build.ts`: they start in half the CPU time (ADR 0052). */
export const BUNDLE_FOLDER = join(import.meta.dirname, '../dist')
/** Lists the sources of the bundle. */
export const SOURCES_FILE = 'built-from.json'

export interface BundleSources {
  /** Relative to the folder of this package. Libraries are not in it: an installation that changes them makes a new bundle. */
  files: string[]
  digest: string
}

export function digestOf(files: string[]): string {
  const digest = createHash('sha256')
  for (const file of files) digest.update(file).update(readFileSync(join(import.meta.dirname, '..', file)))
  return digest.digest('hex')
}

/** Whether there is a bundle, made from the code as it is now. */
export function isBundleCurrent(folder = BUNDLE_FOLDER): boolean {
  try {
    const { files, digest } = JSON.parse(readFileSync(join(folder, SOURCES_FILE), 'utf8')) as BundleSources
    return digestOf(files) === digest
  } catch {
    return false
  }
}
