import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { V8_FLAGS } from '../../server/start/v8-flags.ts'

interface Call {
  id: number
  name: string
  args: unknown[]
}

interface Reply {
  id: number
  value?: unknown
  error?: string
}

/** Functions that every child offers in addition to its own. */
interface Child {
  /** Resident memory, in bytes. */
  memory(): number
}

/** The functions of a child process as its parent calls them. Each call is a message to the child and a reply. */
export type Remote<T> = {
  [K in keyof (T & Child)]: (T & Child)[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never
}

export interface RunningChild<T> {
  remote: Remote<T>
  stop(): Promise<void>
}

/** Parley's own dispatcher. */
export const OURS = 'ours.ts'
/** The same dispatcher with undici as its HTTP client. */
const OURS_UNDICI = 'ours-undici.ts'

/**
 * Starts a file of this folder, which reads `options` with `childOptions` and offers its functions with `serve`. Parley runs
 * with the V8 flags of `npm start`, the other contenders with the defaults of Node.
 */
export function startChild<T>(file: string, options?: unknown): RunningChild<T> {
  const child = fork(join(import.meta.dirname, file), options === undefined ? [] : [optionsFile(options)], {
    execArgv: file === OURS || file === OURS_UNDICI ? V8_FLAGS : [],
    serialization: 'advanced',
  })
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  const exited = once(child, 'exit')
  let lastId = 0
  child.on('message', ({ id, value, error }: Reply) => {
    if (error === undefined) calls.get(id)?.resolve(value)
    else calls.get(id)?.reject(new Error(`${file}: ${error}`))
    calls.delete(id)
  })
  void exited.then(() => {
    for (const call of calls.values()) call.reject(new Error(`${file} ended before it responded`))
  })
  const call = (name: string, args: unknown[]) => {
    if (!child.connected) return Promise.reject(new Error(`${file} has ended`))
    const call = Promise.withResolvers<unknown>()
    calls.set(++lastId, call)
    child.send({ id: lastId, name, args } satisfies Call)
    // A benchmark that failed stops its children without waiting for their responses.
    call.promise.catch(() => {})
    return call.promise
  }
  // `await` reads `then`: the proxy must not look like a promise.
  const get = (_: object, name: string) =>
    name === 'then' ? undefined : (...args: unknown[]) => call(name, args)
  const remote = new Proxy({}, { get }) as Remote<T>
  const stop = async () => {
    if (child.connected) child.disconnect()
    if (child.exitCode === null && child.signalCode === null) await exited
  }
  return { remote, stop }
}

/** Thousands of addresses are too long for an argument. */
function optionsFile(options: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-bench-options-')), 'options.json')
  writeFileSync(file, JSON.stringify(options))
  return file
}

/** In a child: the options that its parent passed to `startChild`. */
export function childOptions<T>(): T {
  const [, , file = ''] = process.argv
  const options = JSON.parse(readFileSync(file, 'utf8')) as T
  rmSync(dirname(file), { recursive: true })
  return options
}

/** In a child: serves its parent until the parent disconnects or exits. */
export function serve(functions: object): void {
  const table = { memory: () => process.memoryUsage.rss(), ...functions } as Record<
    string,
    (...args: unknown[]) => unknown
  >
  const handle = async ({ id, name, args }: Call) => {
    const reply: Reply = { id }
    try {
      reply.value = await table[name]?.(...args)
    } catch (error) {
      reply.error = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    if (process.connected) process.send?.(reply)
  }
  process.on('message', (call: Call) => void handle(call))
  if (!process.connected) process.exit(0)
  process.on('disconnect', () => process.exit(0))
}

/** Milliseconds by the monotonic clock, which all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6
