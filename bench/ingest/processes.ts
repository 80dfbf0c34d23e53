import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { V8_FLAGS } from '../../server/start/v8-flags.ts'

export interface RunningProcess {
  url: string
  /** Resident memory in MB: now, and at its highest. */
  memory(): Promise<{ now: number; peak: number }>
  stop(): Promise<void>
}

const started = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

export const PARLEY = '../../server/main.ts'

/**
 * Starts a script: Parley with the flags of `npm start`, others with the defaults of Node. Resolves when it has printed `ready`. Its
 * URL is that of the backend in Parley's banner, otherwise the first line that it prints.
 */
export async function startProcess(
  script: string,
  args: string[],
  environment: Record<string, string> = {},
  ready = 'http',
): Promise<RunningProcess> {
  const flags = script === PARLEY ? V8_FLAGS : []
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, script), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.add(child)
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    // Reads everything, because a full pipe would block the process.
    child.stdout.on('data', (part: Buffer) => {
      if (output.includes(ready)) return
      output += part
      if (output.includes(ready)) resolve(/(?:^|Backend +)(http:\/\/\S+)/.exec(output)?.[1] ?? '')
    })
    void exited.then(() => reject(new Error(`${script} exited before it was ready:\n${output}`)))
  })
  return {
    url,
    memory: () => memoryOf(child),
    stop: async () => {
      started.delete(child)
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function memoryOf({ pid }: ChildProcess): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
