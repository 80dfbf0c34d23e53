import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { end } from '../test/support/at-end.ts'
import { enterSuite, leaveSuite } from './untracked-promises.ts'

const { suite } = await import('node:test')

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))

// A test may wait for a timer that does not keep the process alive.
process.channel?.ref()

/** From here on, only native code runs: see `run-in-workers.ts`. */
const [, , endedFile] = process.argv
if (endedFile) process.once('exit', () => writeFileSync(endedFile, ''))

/** A process that does not end is killed after a minute. */
const REPORT_AFTER_MS = 20_000
const files: string[] = []

/** Runs test files one after another, each as a suite, as long as the parent process names another one. */
for (let file = await nextFile(); file !== null; file = await nextFile()) {
  files.push(file)
  const url = pathToFileURL(file).href
  await suite(file, async () => {
    enterSuite()
    await import(url)
  })
  leaveSuite()
}
setTimeout(() => {
  console.error(
    `The process of ${files.join(', ')} does not end. Open: ${process.getActiveResourcesInfo().join(', ')}`,
  )
}, REPORT_AFTER_MS).unref()
await end()
process.disconnect()

async function nextFile(): Promise<string | null> {
  const assigned = once(process, 'message')
  process.send?.('next')
  const [{ file }] = (await assigned) as [{ file: string | null }]
  return file
}
