import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestCounts } from './test-counts.ts'

export interface TestGroup {
  name: string
  files: string[]
  /** Processes that share the files. */
  workers: number
}

/** The memory of a process grows with each file. */
const FILES_PER_WORKER = 40
/** Far longer than any test takes. */
const TEST_LIMIT_MS = 900_000
/** A process that lives longer after its last test has something open that the test did not stop. */
const EXIT_LIMIT_MS = 60_000

const running = new Set<ChildProcess>()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    for (const child of running) child.kill()
    // A test in an endless loop does not notice a signal.
    setTimeout(() => {
      for (const child of running) child.kill('SIGKILL')
    }, EXIT_LIMIT_MS).unref()
  })

/** Runs groups at the same time. Returns whether all tests passed. */
export async function runInWorkers(groups: TestGroup[]): Promise<boolean> {
  const results = await Promise.all(groups.filter(({ files }) => files.length > 0).map(runGroup))
  for (const { line } of results) console.log(line)
  return results.every(({ passed }) => passed)
}

async function runGroup({ name, files, workers }: TestGroup) {
  const began = performance.now()
  const waiting = [...files]
  const counts: TestCounts = { tests: 0, failed: 0 }
  const problems: string[] = []
  await Promise.all(
    Array.from({ length: Math.min(workers, files.length) }, async () => {
      while (waiting.length > 0 && !interrupted) {
        const result = await runWorker(waiting)
        counts.tests += result.tests
        counts.failed += result.failed
        if (result.problem) problems.push(result.problem)
      }
    }),
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  const passed = counts.failed === 0 && problems.length === 0
  const summary = `${passed ? '✔' : '✖'} ${name}: ${counts.tests} tests, ${counts.failed} failed, ${seconds} s`
  return { passed, line: [...problems.map((problem) => `✖ ${problem}`), summary].join('\n') }
}

/** One process that takes some of the files. */
async function runWorker(waiting: string[]): Promise<TestCounts & { problem: string | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-counts-'))
  const countsFile = join(folder, 'counts.json')
  const endedFile = join(folder, 'ended')
  const child = startWorker(countsFile, endedFile)
  running.add(child)
  const printOutput = printByFile(child)
  let taken = 0
  let file: string | null = null
  child.on('message', () => {
    printOutput()
    file = (taken++ < FILES_PER_WORKER && waiting.shift()) || null
    child.send({ file })
    if (file === null) setTimeout(() => child.kill('SIGKILL'), EXIT_LIMIT_MS).unref()
  })
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  running.delete(child)
  printOutput()
  const counts = readCounts(countsFile)
  // Seldom, a native library waits for its own threads at the end of the process. All tests have ended then, and left nothing open.
  const isStuckInLibrary = signal === 'SIGKILL' && existsSync(endedFile) && !interrupted
  rmSync(folder, { recursive: true })
  if (counts && isStuckInLibrary) {
    console.log('A process was killed after its last test, because a native library did not end.')
    return { ...counts, problem: null }
  }
  const ending = signal ?? `exit code ${status}`
  if (counts === null) return { tests: 0, failed: 0, problem: `A process ended (${ending}) in ${file}.` }
  const isFailed = status !== 0 && counts.failed === 0
  return { ...counts, problem: isFailed ? `A process failed (${ending}) after its last test.` : null }
}

function startWorker(countsFile: string, endedFile: string): ChildProcess {
  return spawn(
    process.execPath,
    [
      `--test-timeout=${TEST_LIMIT_MS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test-counts.ts',
      `--test-reporter-destination=${countsFile}`,
      'scripts/test-worker.ts',
      endedFile,
    ],
    {
      stdio: ['inherit', 'pipe', 'inherit', 'ipc'],
      // Test processes and the services they start compile the same modules: the cache saves a third of their start.
      env: { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile') },
    },
  )
}

/** Keeps the output of a process until one of its files has ended, so that those of several processes do not mix. */
function printByFile({ stdout }: ChildProcess): () => void {
  let output = ''
  stdout?.setEncoding('utf8').on('data', (data: string) => (output += data))
  return () => {
    process.stdout.write(output)
    output = ''
  }
}

/** Null if the process did not finish. */
function readCounts(file: string): TestCounts | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestCounts
  } catch {
    return null
  }
}
