import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the pages into web/dist, unless they were built from the same sources. `npm ci` runs it; the service runs it again at its
 * start, for a checkout that was updated without an installation.
 */
const here = import.meta.dirname
const stamp = join(here, 'dist/built-from')

function digestOfSources(): string {
  const digest = createHash('sha256')
  const files = globSync('**/*.{ts,css,html,json}', { cwd: here, exclude: ['dist/**', 'node_modules/**'] })
  for (const file of files.sort()) digest.update(file).update(readFileSync(join(here, file)))
  return digest.digest('hex')
}

function builtFrom(): string | null {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}

const sources = digestOfSources()
if (builtFrom() !== sources) {
  const [{ build }, { portal, serviceWorker }] = await Promise.all([
    import('vite'),
    import('./vite.config.ts'),
  ])
  rmSync(stamp, { force: true })
  await build(portal)
  await build(serviceWorker)
  writeFileSync(stamp, sources)
}
