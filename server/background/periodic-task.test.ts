import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { type PeriodicTask, startTasks } from './periodic-task.ts'

/** Runs a task until `results` is used up, and returns its log lines. An error as a result is thrown. */
async function runUntilDone(results: unknown[], task: Partial<PeriodicTask> = {}) {
  const lines: { task?: string; count?: number; msg: string }[] = []
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) })
  const done = Promise.withResolvers<void>()
  let runs = 0
  const run = async () => {
    const result = results[runs++]
    if (runs === results.length) done.resolve()
    if (result instanceof Error) throw result
    return result
  }
  const tasks = startTasks([{ name: 'sweep', everyMs: 1, does: '', changes: '', run, ...task }], log)
  await done.promise
  await tasks.stop()
  return { lines, runs }
}

test('logs a failed run with the name of its task, and runs again', async () => {
  const { lines } = await runUntilDone([new Error('failed'), null])
  assert.deepEqual(
    lines.map(({ task, msg }) => [task, msg]),
    [['sweep', 'Periodic task failed; retrying in 0.001 s']],
  )
})

test('a task with more work runs again without a pause', async () => {
  await runUntilDone([true, true, false], { everyMs: 3_600_000 })
})

test('a task that runs once is repeated until it succeeds', async () => {
  const { runs } = await runUntilDone([new Error('failed'), 0], { once: true })
  assert.equal(runs, 2)
})

test('logs how many records a task found, and nothing if it found none', async () => {
  const { lines } = await runUntilDone([0, 3], { warning: 'Stalled jobs were enqueued again' })
  assert.deepEqual(
    lines.map(({ count, msg }) => [count, msg]),
    [[3, 'Stalled jobs were enqueued again']],
  )
})

test('the first runs take turns, and one that does not end delays the others only briefly', async () => {
  const log = createLog('silent')
  const began: [name: string, inProgress: number][] = []
  const endless = Promise.withResolvers<void>()
  const all = Promise.withResolvers<void>()
  let inProgress = 0
  const task = (name: string, work: () => Promise<void>): PeriodicTask => ({
    name,
    everyMs: 3_600_000,
    does: '',
    changes: '',
    run: async () => {
      began.push([name, ++inProgress])
      await work()
      inProgress--
    },
  })
  const soon = () => new Promise<void>((resolve) => setImmediate(resolve))
  const tasks = startTasks(
    [
      task('first', soon),
      task('second', soon),
      task('endless', () => endless.promise),
      task('last', async () => all.resolve()),
    ],
    log,
  )
  await all.promise
  assert.deepEqual(began, [
    ['first', 1],
    ['second', 1],
    ['endless', 1],
    ['last', 2],
  ])
  endless.resolve()
  await tasks.stop()
})
