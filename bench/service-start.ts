import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { HEAP_FLAGS } from '../server/start/v8-flags.ts'
import { median, rounded, saveFigures } from './deliveries/figures.ts'

/**
 * `node bench/service-start.ts`: CPU time and memory of the first process after a start, from the bundle and from the sources. Both take
 * turns, with a warm compile cache.
 */
const ROUNDS = 7
const root = join(import.meta.dirname, '..')
const TICKS_PER_SECOND = 100

interface Start {
  cpuSeconds: number
  residentMb: number
}

function measure(pid: number): Start {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, 'name')
    .split(' ')
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return {
    cpuSeconds: (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND,
    residentMb: Number(resident) / 1024,
  }
}

/** Starts and stops the service. */
async function start(program: string, dataDir: string): Promise<Start> {
  const child = spawn(process.execPath, [...HEAP_FLAGS, join(root, program)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
      PORT: '0',
      IDENTITY_PORT: '0',
      METRICS_PORT: '0',
      WORKERS: '1',
    },
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) if (line.includes('Ctrl-C')) break
  child.stdout.resume()
  const measured = measure(child.pid as number)
  child.kill('SIGTERM')
  await ended
  return measured
}

const dataDir = mkdtempSync(join(tmpdir(), 'parley-start-'))
chmodSync(dataDir, 0o711)
const programs = { bundle: 'server/main.ts', sources: 'server/start/run.ts' }
const starts: Record<keyof typeof programs, Start[]> = { bundle: [], sources: [] }
// The first start creates the database, the second fills the compile cache.
for (let round = -2; round < ROUNDS; round++) {
  for (const [name, program] of Object.entries(programs) as [keyof typeof programs, string][]) {
    const measured = await start(program, dataDir)
    if (round >= 0) starts[name].push(measured)
  }
}
rmSync(dataDir, { recursive: true })

const figuresOf = (name: keyof typeof programs) => ({
  cpu_seconds: rounded(median(starts[name].map(({ cpuSeconds }) => cpuSeconds)), 2),
  resident_mb: rounded(median(starts[name].map(({ residentMb }) => residentMb)), 0),
})
await saveFigures('service-start', { bundle: figuresOf('bundle'), sources: figuresOf('sources') })
