import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Json = Record<string, unknown>

/** A Firefox that is driven by WebDriver BiDi over its own WebSocket. */
export interface BidiBrowser extends AsyncDisposable {
  send<T extends Json>(method: string, params?: Json): Promise<T>
}

const READY = /WebDriver BiDi listening on (ws:\S+)/

/**
 * playwright-core drives a Firefox of its own build. Its support for others sends a command that Debian's does not know
 * (emulation.setMediaFeaturesOverride), so these tests speak the protocol themselves.
 */
export async function startFirefox(path: string, preferences: Json): Promise<BidiBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-firefox-'))
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn(
    path,
    [
      '--headless',
      '--no-remote',
      '--remote-allow-system-access',
      '--profile',
      profile,
      '--remote-debugging-port',
      '0',
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile },
    },
  )
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr.on('data', (data: Buffer) => {
      output += data
      const url = READY.exec(output)?.[1]
      if (url) resolve(url)
    })
    void ended.then(() => reject(new Error(`Firefox ended: ${output}`)))
  })
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const pending = new Map<number, (reply: Json) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Json
    pending.get(reply['id'] as number)?.(reply)
    pending.delete(reply['id'] as number)
  })
  let lastId = 0
  const browser: BidiBrowser = {
    async send<T extends Json>(method: string, params: Json = {}): Promise<T> {
      lastId += 1
      const replied = new Promise<Json>((resolve) => pending.set(lastId, resolve))
      socket.send(JSON.stringify({ id: lastId, method, params }))
      const reply = await replied
      if (reply['type'] !== 'success') throw new Error(`${method}: ${String(reply['message'])}`)
      return reply['result'] as T
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      child.kill('SIGTERM')
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await browser.send('session.new', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept' } } },
  })
  return browser
}
