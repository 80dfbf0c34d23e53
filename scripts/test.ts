import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { type BrowserName, howToInstall } from '../test/portal/support/browsers.ts'
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts'
import { runInWorkers } from './run-in-workers.ts'
import { setupBrowsers } from './setup-browsers.ts'
import { setupPgBouncer } from './setup-pgbouncer.ts'
import { setupS3Server } from './setup-s3-server.ts'

/**
 * `npm run test:only [-- area or file…]`: all test files, or those of the given areas (a folder anywhere in the tree, such as
 * `webhooks`), each on its own database. A few processes share the files, so that modules are loaded and compiled once in each of them.
 * Files that kill and start whole services mostly wait: one at a time runs beside the others, or one per core if areas are named.
 * Tests in browsers record in real time and need the machine for themselves. They run after the others. Without names, only the
 * journeys below run; `npm run test:browsers` runs all.
 */
const BROWSER_JOURNEYS = [
  'test/dashboard/session.test.ts',
  'test/dashboard/webhooks.test.ts',
  'test/portal/closed-project.test.ts',
  'test/portal/journeys.test.ts',
  'test/portal/offline.test.ts',
  'test/portal/safety.test.ts',
  'test/portal/screens.test.ts',
]

const all = globSync([...manifest.workspaces, 'test'].map((folder) => `${folder}/**/*.test.ts`))
const given = process.argv.slice(2).map((name) => relative('.', name))

/** The test files of an area, a folder, a file or a glob pattern. */
function filesOf(name: string): string[] {
  const matching = new Set(globSync(name))
  const found = all.filter((file) => matching.has(file) || `/${file}`.includes(`/${name}/`))
  if (found.length === 0) throw new Error(`No test files match "${name}".`)
  return found
}

const needsDatabase = (file: string): boolean => imports(file, 'test/support/database.ts')
const needsS3Server = (file: string): boolean => imports(file, 'test/support/servers/s3-server.ts')
const needsBrowser = (file: string): boolean => imports(file, 'test/portal/support/browsers.ts')
const needsFirefox = (file: string): boolean => imports(file, 'test/portal/support/firefox.ts')

/** Whether a file imports another one, directly or not. */
function imports(file: string, wanted: string, seen = new Set<string>()): boolean {
  if (file === wanted) return true
  // A generated file can be missing; it imports nothing.
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  return importsOf(file).some((path) => imports(path, wanted, seen))
}

const known = new Map<string, string[]>()

function importsOf(file: string): string[] {
  const found =
    known.get(file) ??
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+\.ts)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    )
  known.set(file, found)
  return found
}

/** Tests that start and kill whole services. */
const isHeavy = (file: string): boolean =>
  /^test\/(start\/.*|processes\/.*|upgrade\/.*|demo\/.*|privacy\/erased-for-good|chaos\/chaos)\.test\.ts$/.test(
    file,
  )

/** It records for 90 seconds and mostly waits, so it runs beside the other browsers. */
const isLongRecording = (file: string): boolean => file === 'test/portal/nothing-lost.test.ts'

const files = (
  given.length > 0
    ? [...new Set(given.flatMap(filesOf))]
    : all.filter((file) => !needsBrowser(file) || BROWSER_JOURNEYS.includes(file))
).toSorted()
const inBrowsers = files.filter(needsBrowser)
const others = files.filter((file) => !needsBrowser(file))

const heavy = others.filter(isHeavy)
/** Those in test/ take longest. They come first, so that no process has a long file left when the others are done. */
const light = others
  .filter((file) => !isHeavy(file))
  .toSorted((a, b) => Number(b.startsWith('test/')) - Number(a.startsWith('test/')))

if (files.some(needsS3Server)) await setupS3Server()
if (files.includes('test/pgbouncer/pgbouncer.test.ts')) await setupPgBouncer()
const browsers: BrowserName[] = inBrowsers.some(needsFirefox) ? ['chromium', 'firefox'] : ['chromium']
const missing = inBrowsers.length > 0 ? await setupBrowsers(browsers) : []
const runnable = missing.includes('chromium') ? [] : inBrowsers
if (files.some(needsDatabase)) await globalSetup()
let passed = false
try {
  passed = await runInWorkers([
    // Many files wait for servers, leases and timers.
    { name: 'tests', files: light, workers: 2 * availableParallelism() },
    { name: 'whole services', files: heavy, workers: given.length > 0 ? availableParallelism() : 1 },
  ])
  const passedInBrowsers = await runInWorkers([
    {
      name: 'browsers',
      files: runnable.filter((file) => !isLongRecording(file)),
      workers: availableParallelism(),
    },
    { name: 'a long recording', files: runnable.filter(isLongRecording), workers: 1 },
  ])
  passed &&= passedInBrowsers
  for (const name of missing) console.log(`– Tests in browsers were skipped: ${howToInstall(name)}`)
} finally {
  if (files.some(needsDatabase)) await globalTeardown()
}
process.exitCode = passed ? 0 : 1
