import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Programs as plain JavaScript in a few files, made by `buildBundle`: they load in a third of the CPU time (ADR 0053). A bundle whose
 * sources have changed is not used, so that a checkout works without a build, only slower.
 */
const ROOT = join(import.meta.dirname, '../..')

/** Lists the sources of the bundle. */
export const SOURCES_FILE = 'built-from.json'

export interface BundleSources {
  /** Relative to the repository. Libraries are not in it: an installation that changes them makes a new bundle. */
  files: string[]
  digest: string
}

export const bundleFolderOf = (packageFolder: string): string => join(packageFolder, 'dist')

export function digestOf(files: string[]): string {
  const digest = createHash('sha256')
  for (const file of files) digest.update(file).update(readFileSync(join(ROOT, file)))
  return digest.digest('hex')
}

/** Whether there is a bundle, made from the code as it is now. */
export function isBundleCurrent(folder: string): boolean {
  try {
    const { files, digest } = JSON.parse(readFileSync(join(folder, SOURCES_FILE), 'utf8')) as BundleSources
    return digestOf(files) === digest
  } catch {
    return false
  }
}

/** The bundled program, or its source if the bundle is not current. */
export function locateProgram(packageFolder: string, source: string): string {
  const folder = bundleFolderOf(packageFolder)
  return isBundleCurrent(folder) ? join(folder, bundledName(source)) : join(packageFolder, source)
}

/** `start/run.ts` becomes `run.mjs`. */
export const bundledName = (source: string): string => source.replace(/^.*\//, '').replace(/\.ts$/, '.mjs')
