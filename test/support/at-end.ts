const tasks: (() => unknown)[] = []

/** For what the test files of a process share: stops it when all of them have run. */
export function atEnd(task: () => unknown): void {
  tasks.push(task)
}

export async function end(): Promise<void> {
  for (const task of tasks.splice(0).reverse()) await task()
}
