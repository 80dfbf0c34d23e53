import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/**
 * Builds the pages into web/dist, unless they were built from the same sources. `npm ci` runs it; the service runs it again at its
 * start, for a checkout that was updated without an installation.
 */
const here = import.meta.dirname
const dist = join(here, 'dist')

const isOutput = (path: string): boolean => /^(dist|node_modules)/.test(path)
const isSource = (path: string): boolean =>
  /\.(ts|tsx|js|css|html|json|svg|png)$/.test(path) && !path.endsWith('.test.ts')

/** Each start of the service needs this list, and a glob with exclusions took 0.1 s longer. */
function listSources(folder = ''): string[] {
  return readdirSync(join(here, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isOutput(path) ? [] : listSources(path)
    return isSource(path) ? [path] : []
  })
}

function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const file of listSources().sort()) digest.update(file).update(readFileSync(join(here, file)))
  return digest.digest('hex')
}

function builtFrom(): string | null {
  try {
    return readFileSync(join(dist, 'built-from'), 'utf8')
  } catch {
    return null
  }
}

/** Once, here, so that a start does not spend half a second on it. */
function compressFiles(folder: string): void {
  for (const file of globSync('**/*.{js,css,svg}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, file))
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params }))
  }
}

/** A build that fails leaves the earlier one. Another process that builds at the same time builds the same files. */
function replaceDist(built: string): void {
  const old = `${built}-old`
  try {
    renameSync(dist, old)
  } catch {
    // There was none.
  }
  try {
    renameSync(built, dist)
  } catch (error) {
    if (builtFrom() === null) throw error
  }
  for (const folder of [built, old]) rmSync(folder, { recursive: true, force: true })
}

/** An installation of some packages can leave out those of the pages; a process that runs only the worker needs none. */
const isLeftOut = (): boolean => {
  try {
    import.meta.resolve('vite')
    return false
  } catch {
    return process.env['npm_lifecycle_event'] === 'postinstall'
  }
}

const sources = digestOfSources()
if (builtFrom() !== sources && isLeftOut())
  console.warn('The pages are not built: install the workspace "web", too, to serve them.')
else if (builtFrom() !== sources) {
  // The service creates private files, but the account that builds is not always the one that serves.
  process.umask(0o022)
  const [{ build }, { dashboard, portal, serviceWorker }] = await Promise.all([
    import('vite'),
    import('./vite.config.ts'),
  ])
  const folder = join(here, `dist-${process.pid}`)
  mkdirSync(folder)
  try {
    await build(portal(join(folder, 'portal')))
    await build(serviceWorker(join(folder, 'service-worker')))
    await build(dashboard(join(folder, 'dashboard')))
    compressFiles(folder)
    writeFileSync(join(folder, 'built-from'), sources)
    replaceDist(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
