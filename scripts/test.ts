import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { PhaseResult } from './test-counts.ts'

/**
 * `npm run test:only [file…]`: the given test files, or all of them, each on its own database. First those that mostly wait for
 * servers which they started, side by side; then, one at a time, those that kill and start whole services and need the machine
 * for themselves.
 */
const PACKAGES = [
  'platform',
  'database',
  'storage',
  'media',
  'speech',
  'grounding',
  'delivery',
  'identity',
  'server',
  'test',
]
const given = process.argv.slice(2).map((file) => relative('.', file))
const all = globSync(PACKAGES.map((folder) => `${folder}/**/*.test.ts`))
for (const file of given)
  if (globSync(file).length === 0) throw new Error(`there is no such test file: ${file}`)
const files = (given.length > 0 ? globSync(given) : all).sort()

const isHeavy = (file: string): boolean => /^test\/(start\/.*|chaos\/\w+\/chaos)\.test\.ts$/.test(file)

interface Phase {
  name: string
  files: string[]
  /** Files at once. */
  atOnce: number
  /** Far more than any test takes: the end of what hangs. */
  timeoutMs: number
}

const phases: Phase[] = [
  // One more than the cores: files mostly wait for servers that they started.
  {
    name: 'side by side',
    files: files.filter((file) => !isHeavy(file)),
    atOnce: availableParallelism() + 1,
    timeoutMs: 180_000,
  },
  { name: 'one at a time', files: files.filter(isHeavy), atOnce: 1, timeoutMs: 600_000 },
]

const results = phases.filter((phase) => phase.files.length > 0).map(runPhase)
for (const { line } of results) console.log(line)
process.exit(results.every(({ passed }) => passed) ? 0 : 1)

function runPhase({ name, files, atOnce, timeoutMs }: Phase): { passed: boolean; line: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-counts-'))
  const counts = join(folder, 'counts.json')
  const began = performance.now()
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-global-setup=test/support/global-setup.ts',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${timeoutMs}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test-counts.ts',
      `--test-reporter-destination=${counts}`,
      ...files,
    ],
    { stdio: 'inherit' },
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  const line = `${status === 0 ? '✔' : '✖'} ${name}: ${describe(readCounts(counts))}, ${seconds} s`
  rmSync(folder, { recursive: true })
  return { passed: status === 0, line }
}

function describe(counts: PhaseResult | null): string {
  return counts === null ? 'ended without a result' : `${counts.tests} tests, ${counts.failed} failed`
}

/** Null where the run broke off before its end. */
function readCounts(file: string): PhaseResult | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PhaseResult
  } catch {
    return null
  }
}
