import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import type { PhaseResult } from './test-counts.ts'

/**
 * `npm run test:only [-- area or file…]`: all test files, or those of the given areas (a folder anywhere in the tree, such as
 * `webhooks`), each on its own database. Most files run in parallel. Files that kill and start whole services run afterwards,
 * one at a time, because they need the machine for themselves.
 */
const all = globSync([...manifest.workspaces, 'test'].map((folder) => `${folder}/**/*.test.ts`))
const given = process.argv.slice(2).map((name) => relative('.', name))
const files = (given.length > 0 ? given.flatMap(filesOf) : all).toSorted()

/** The test files of an area, a folder, a file or a glob pattern. */
function filesOf(name: string): string[] {
  const matching = new Set(globSync(name))
  const found = all.filter((file) => matching.has(file) || `/${file}`.includes(`/${name}/`))
  if (found.length === 0) throw new Error(`No test files match "${name}".`)
  return found
}

const isHeavy = (file: string): boolean => /^test\/(start\/.*|chaos\/chaos)\.test\.ts$/.test(file)

interface Phase {
  name: string
  files: string[]
  /** Files that run in parallel. */
  concurrency: number
  /** Far longer than any test takes. */
  timeoutMs: number
}

const phases: Phase[] = [
  // One more than the cores, because files often wait for servers that they started.
  {
    name: 'in parallel',
    files: files.filter((file) => !isHeavy(file)),
    concurrency: availableParallelism() + 1,
    timeoutMs: 180_000,
  },
  { name: 'one at a time', files: files.filter(isHeavy), concurrency: 1, timeoutMs: 600_000 },
]

const results = phases.filter((phase) => phase.files.length > 0).map(runPhase)
for (const { line } of results) console.log(line)
process.exit(results.every(({ passed }) => passed) ? 0 : 1)

function runPhase({ name, files, concurrency, timeoutMs }: Phase): { passed: boolean; line: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-counts-'))
  const counts = join(folder, 'counts.json')
  const began = performance.now()
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-global-setup=test/support/global-setup.ts',
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${timeoutMs}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test-counts.ts',
      `--test-reporter-destination=${counts}`,
      ...files,
    ],
    {
      stdio: 'inherit',
      // Test processes and the services they start compile the same modules: the cache saves a third of their start.
      env: { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile') },
    },
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  const line = `${status === 0 ? '✔' : '✖'} ${name}: ${describe(readCounts(counts))}, ${seconds} s`
  rmSync(folder, { recursive: true })
  return { passed: status === 0, line }
}

function describe(counts: PhaseResult | null): string {
  return counts === null ? 'ended without a result' : `${counts.tests} tests, ${counts.failed} failed`
}

/** Null if the run did not finish. */
function readCounts(file: string): PhaseResult | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PhaseResult
  } catch {
    return null
  }
}
