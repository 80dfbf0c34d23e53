import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { removeFolder, temporaryFolder } from '../test/support/service.ts'
import { mountSmall } from '../test/support/small-disk.ts'
import { until } from '../test/support/webhooks.ts'

const PROGRAM = join(import.meta.dirname, 'testing/logging-process.ts')
/** Lines of about a thousand bytes: together ten times the buffer limit. */
const TOO_MANY_LINES = 80_000
const MAX_BYTES = 10 * 1024 * 1024

async function launch(t: TestContext, stdout: 'pipe' | number): Promise<ChildProcess> {
  const stdio: StdioOptions = ['ignore', stdout, 'inherit', 'ipc']
  const child = spawn(process.execPath, [PROGRAM], { stdio })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

async function log(child: ChildProcess, lines: number): Promise<void> {
  const logged = once(child, 'message')
  child.send(lines)
  await logged
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  return (await exited)[0]
}

test('every line up to the last reaches the reader', async (t) => {
  const child = await launch(t, 'pipe')
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (data) => (text += data))
  const closed = once(child, 'close')
  await log(child, 200)
  const lines = () => text.trimEnd().split('\n')
  // At exit, a full pipe is waited for only briefly.
  await until(
    async () => lines().length,
    (count) => count === 200,
  )
  assert.equal(await exitCode(child), 0)
  await closed
  const messages = lines().map((line) => JSON.parse(line).msg)
  assert.deepEqual([messages.length, messages.at(-1)], [201, 'the last line'])
})

test('a process whose output fails continues, and ends on SIGTERM', async (t) => {
  const full = await open('/dev/full', 'w')
  t.after(() => full.close())
  const child = await launch(t, full.fd)
  await log(child, 100)
  await log(child, TOO_MANY_LINES)
  assert.equal(await exitCode(child), 0)
})

test('lines reach the file when its disk has space again', async (t) => {
  const folder = await temporaryFolder()
  if (!mountSmall(folder)) return t.skip('a small disk can be mounted by root alone')
  t.after(() => execFileSync('umount', ['--lazy', folder]))
  t.after(() => removeFolder(folder))
  const ballast = join(folder, 'ballast')
  await writeFile(ballast, Buffer.alloc(900_000))
  const path = join(folder, 'log')
  const file = await open(path, 'a')
  t.after(() => file.close())
  const child = await launch(t, file.fd)
  await log(child, 500)
  await until(
    async () => (await readFile(path)).length,
    (length) => length > 100_000,
  )
  await rm(ballast)
  await until(
    async () => (await readFile(path, 'utf8')).split('\n').length,
    (lines) => lines === 501,
  )
  assert.equal(await exitCode(child), 0)
  assert.match(await readFile(path, 'utf8'), /the last line"}\n$/)
})

test('a process whose output is not read ends on SIGTERM', async (t) => {
  const child = await launch(t, 'pipe')
  await log(child, TOO_MANY_LINES)
  assert.equal(await exitCode(child), 0)
})

test('unread lines are kept up to a limit, and later lines arrive when reading resumes', async (t) => {
  const child = await launch(t, 'pipe')
  await log(child, TOO_MANY_LINES)
  let length = 0
  let end = ''
  child.stdout?.setEncoding('utf8').on('data', (data) => {
    length += data.length
    end = (end + data).slice(-1_200)
  })
  const lastCount = async () => Number(/"count":(\d+)[^\n]*\n$/.exec(end)?.[1])
  const logAndRead = async () => {
    await log(child, 1)
    return lastCount()
  }
  await until(logAndRead, (count) => count === 1)
  // A write that begins at the moment of the exit would be lost, so nothing may be buffered then.
  await log(child, 2)
  await until(lastCount, (count) => count === 2)
  assert.ok(length < MAX_BYTES, `${length} bytes were kept`)
  const closed = once(child, 'close')
  assert.equal(await exitCode(child), 0)
  await closed
  assert.match(end, /the last line"}\n$/)
})
