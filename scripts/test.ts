import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { setupBrowsers } from './setup-browsers.ts'
import { setupPgBouncer } from './setup-pgbouncer.ts'
import { setupS3Server } from './setup-s3-server.ts'
import type { GroupResult } from './test-counts.ts'

/**
 * `npm run test:only [-- area or file…]`: all test files, or those of the given areas (a folder anywhere in the tree, such as
 * `webhooks`), each on its own database. Files that kill and start whole services mostly wait for these, so they run one
 * at a time beside the others. Unit tests share one process, which halves their CPU time. The output of these follows at the end.
 * Tests in browsers record in real time and need the machine for themselves. They run after the others, and only if they are named, as
 * `npm run test:browsers` does.
 */
const all = globSync([...manifest.workspaces, 'test'].map((folder) => `${folder}/**/*.test.ts`))
const given = process.argv.slice(2).map((name) => relative('.', name))

/** The test files of an area, a folder, a file or a glob pattern. */
function filesOf(name: string): string[] {
  const matching = new Set(globSync(name))
  const found = all.filter((file) => matching.has(file) || `/${file}`.includes(`/${name}/`))
  if (found.length === 0) throw new Error(`No test files match "${name}".`)
  return found
}

/** Left out: packages whose tests start processes and threads, and tests of the whole. */
const isUnit = (file: string): boolean =>
  !/^(media|speech|storage|test|web)\//.test(file) && !needsDatabase(file)

const needsDatabase = (file: string): boolean => imports(file, 'test/support/database.ts')
const needsS3Server = (file: string): boolean => imports(file, 'test/support/s3-server.ts')
const needsBrowser = (file: string): boolean => imports(file, 'test/portal/support/browsers.ts')

/** Whether a file imports another one, directly or not. */
function imports(file: string, wanted: string, seen = new Set<string>()): boolean {
  if (file === wanted) return true
  if (seen.has(file)) return false
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

const isHeavy = (file: string): boolean => /^test\/(start\/.*|chaos\/chaos)\.test\.ts$/.test(file)

/** It records for 90 seconds and mostly waits, so it runs beside the other browsers. */
const isLongRecording = (file: string): boolean => file === 'test/portal/nothing-lost.test.ts'

const files = (
  given.length > 0 ? [...new Set(given.flatMap(filesOf))] : all.filter((file) => !needsBrowser(file))
).toSorted()

interface Group {
  name: string
  files: string[]
  /** Files that run in parallel, each in a process. */
  concurrency: number
  /** All files in one process. */
  inOneProcess?: boolean
  /** Far longer than any test takes. */
  timeoutMs: number
}

const groups: Group[] = [
  {
    name: 'with a database',
    files: files.filter((file) => !isHeavy(file) && !needsBrowser(file) && !isUnit(file)),
    // Many files wait for servers, leases and timers.
    concurrency: 2 * availableParallelism(),
    timeoutMs: 180_000,
  },
  { name: 'units', files: files.filter(isUnit), concurrency: 1, inOneProcess: true, timeoutMs: 180_000 },
  { name: 'whole services', files: files.filter(isHeavy), concurrency: 1, timeoutMs: 600_000 },
]

const browserFiles = files.filter(needsBrowser)
const browserGroups: Group[] = [
  {
    name: 'browsers',
    files: browserFiles.filter((file) => !isLongRecording(file)),
    concurrency: availableParallelism(),
    timeoutMs: 900_000,
  },
  {
    name: 'a long recording',
    files: browserFiles.filter(isLongRecording),
    concurrency: 1,
    timeoutMs: 900_000,
  },
]

if (files.some(needsS3Server)) await setupS3Server()
if (files.includes('test/pgbouncer/pgbouncer.test.ts')) await setupPgBouncer()
const results = await runGroups(groups)
if (browserFiles.length > 0) await setupBrowsers()
results.push(...(await runGroups(browserGroups)))
for (const { line } of results) console.log(line)
process.exit(results.every(({ passed }) => passed) ? 0 : 1)

/** At the same time. The output of the first is shown as it comes, that of the others at the end. */
async function runGroups(all: Group[]) {
  const finished = await Promise.all(all.filter(({ files }) => files.length > 0).map(runGroup))
  for (const { output } of finished) process.stdout.write(output)
  return finished
}

async function runGroup({ name, files, concurrency, inOneProcess, timeoutMs }: Group, index: number) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-counts-'))
  const counts = join(folder, 'counts.json')
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--test',
      ...(inOneProcess ? ['--test-isolation=none'] : ['--test-global-setup=test/support/global-setup.ts']),
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${timeoutMs}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test-counts.ts',
      `--test-reporter-destination=${counts}`,
      ...files,
    ],
    {
      stdio: ['inherit', index === 0 ? 'inherit' : 'pipe', 'inherit'],
      // Test processes and the services they start compile the same modules: the cache saves a third of their start.
      env: { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile') },
    },
  )
  const output: Buffer[] = []
  child.stdout?.on('data', (part: Buffer) => output.push(part))
  const [status] = await once(child, 'close')
  const seconds = Math.round((performance.now() - began) / 1000)
  const line = `${status === 0 ? '✔' : '✖'} ${name}: ${describe(readCounts(counts))}, ${seconds} s`
  rmSync(folder, { recursive: true })
  return { passed: status === 0, line, output: Buffer.concat(output) }
}

function describe(counts: GroupResult | null): string {
  return counts === null ? 'ended without a result' : `${counts.tests} tests, ${counts.failed} failed`
}

/** Null if the run did not finish. */
function readCounts(file: string): GroupResult | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GroupResult
  } catch {
    return null
  }
}
