import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { MoveOptions } from './main.ts'
import type { Moved } from './move-organisation.ts'
import { BUSY_EXIT_CODE } from './quiesce.ts'
import type { Step } from './steps.ts'

export interface MoveOutcome {
  /** Null: all steps were done before, or the mover was killed. */
  moved: Moved | null
  /** The mover was killed at the step. */
  isKilled: boolean
  /** The organisation was too busy. */
  isBusy: boolean
  /** When the mover reached each step, in milliseconds since 1970. */
  times: Map<Step, number>
  /** Empty unless the mover failed. */
  problem: string
}

/** Runs the mover as a separate process, which is killed at the step. */
export async function runMover(options: MoveOptions, killAt: Step | null): Promise<MoveOutcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MOVE: JSON.stringify(options), ...(killAt ? { KILL_AT: killAt } : {}) },
  })
  const output: string[] = []
  let moved: Moved | null = null
  const times = new Map<Step, number>()
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line)
      const [, at, step] = /^step (\d+) (.+)$/.exec(line) ?? []
      if (step !== undefined) times.set(step as Step, Number(at))
      if (line.startsWith('moved ')) moved = JSON.parse(line.slice('moved '.length)) as Moved
    })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const isKilled = signal === 'SIGKILL' && killAt !== null && times.has(killAt)
  const isBusy = code === BUSY_EXIT_CODE
  const isExpected = killAt === null ? code === 0 || isBusy : isKilled || isBusy
  const tail = output.slice(-8).join('\n')
  return { moved, isKilled, isBusy, times, problem: isExpected ? '' : `${code ?? signal}: ${tail}` }
}
