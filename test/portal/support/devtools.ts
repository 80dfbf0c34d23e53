import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserPath } from './browsers.ts'
import { fakeMicrophone } from './phone.ts'
import { type ScriptedPage, scriptedPage } from './scripted-page.ts'

type Json = Record<string, unknown>
type Send = <T = Json>(method: string, params?: Json) => Promise<T>

/** A page in Chromium, with the commands that the DevTools protocol has for it. */
export interface BareChromium extends AsyncDisposable {
  page: ScriptedPage
  /** To the page. */
  send: Send
  /** To the browser. */
  sendToBrowser: Send
}

const LISTENING = /DevTools listening on (ws:\S+)/

/**
 * Chromium without playwright-core, to measure memory: playwright-core turns on the network events of the DevTools protocol, for which
 * the process of the page keeps requests.
 */
export async function startBareChromium(microphone: string, url: string): Promise<BareChromium> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-chromium-'))
  const child = spawn(
    browserPath('chromium'),
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--lang=en-GB',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...fakeMicrophone(microphone),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr.on('data', (data: Buffer) => {
      output += data
      const found = LISTENING.exec(output)?.[1]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`Chromium ended: ${output}`)))
  })
  const { sendTo, close } = await connect(address)
  const sendToBrowser: Send = (method, params) => sendTo(undefined, method, params)
  const { targetId } = await sendToBrowser<{ targetId: string }>('Target.createTarget', { url })
  const { sessionId } = await sendToBrowser<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  })
  const send: Send = (method, params) => sendTo(sessionId, method, params)
  const page = scriptedPage(async (expression) => {
    const { result, exceptionDetails } = await send<{ result: { value: string }; exceptionDetails?: Json }>(
      'Runtime.evaluate',
      { expression, awaitPromise: true, userGesture: true },
    )
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
    return result.value
  })
  await page.untilStep('welcome')
  const script = await readFile(join(import.meta.dirname, '../in-page/recording-since.js'), 'utf8')
  await page.evaluate(`(() => { ${script} })()`)
  return {
    page,
    send,
    sendToBrowser,
    async [Symbol.asyncDispose]() {
      close()
      child.kill('SIGTERM')
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function connect(address: string) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const pending = new Map<number, (reply: Json) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Json
    pending.get(reply['id'] as number)?.(reply)
    pending.delete(reply['id'] as number)
  })
  let lastId = 0
  return {
    close: () => socket.close(),
    async sendTo<T>(sessionId: string | undefined, method: string, params: Json = {}): Promise<T> {
      const id = ++lastId
      const replied = new Promise<Json>((resolve) => pending.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
      const { result, error } = await replied
      if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
      return result as T
    },
  }
}
