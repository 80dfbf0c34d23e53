import { runTasks } from '../run-tasks.ts'

let count = 0

/** For the tests: counts its tasks; loops or throws if the task says so. */
runTasks<string, never, number>((task) => {
  while (task === 'loop');
  if (task === 'throw') throw new Error('unexpected bytes')
  if (task === 'full disk') throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  return ++count
})
