import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from './run-thread.ts'

/** The code of a thread: runs the tasks that `runThread` sends, one after another. An error ends the thread. */
export function runTasks<Task, Progress, Result>(
  run: (task: Task, report: (progress: Progress) => void) => Promise<Result> | Result,
): void {
  const send = (message: ThreadMessage<Progress, Result>) => parentPort?.postMessage(message)
  const runTask = async (task: Task) => send({ result: await run(task, (progress) => send({ progress })) })
  parentPort?.on('message', (task: Task) => void runTask(task))
}
