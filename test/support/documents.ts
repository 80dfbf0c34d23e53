import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** The service that the examples of the documents use. */
export interface DocumentedService {
  backend: string
  identityStore: string
  /** Of the first administrator. */
  password: string
  /** Shell code that runs before the commands. */
  prelude?: string
  /** The e-mail address of the colleague who gets an account. */
  colleague?: string
  signal?: AbortSignal
}

/** The tours, and what their commands have to print. */
export const TOURS: Record<string, RegExp[]> = {
  'README.md': [/ill-disposed young man/],
  'docs/getting-started.md': [
    /"staff":true/,
    /"name":"A park for all","language":"nl"/,
    /ill-disposed young man/,
    /"is_open":false/,
    /"name":"Ada","email":"ada[^"]*@example.com","role":"observer"/,
    /"code":"capability_required"/,
    /"tier":"changemaker"/,
    /"delivery_id":"[0-9a-f-]{36}","success":(true|false)/,
    /# Webhook [\s\S]*\n## Receivers\n/,
    /"action":"workspace.tier_set".*"reason":"A trial for the city"/,
  ],
}

const readDocument = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')

/** Runs the shell blocks of a tour, one after the other, and checks what they print. */
export async function takeTour(
  path: string,
  {
    backend,
    identityStore,
    password,
    prelude = '',
    colleague = 'ada@example.com',
    signal,
  }: DocumentedService,
): Promise<void> {
  const blocks = [...(await readDocument(path)).matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1])
  const script = [prelude, ...blocks]
    .join('\necho\n')
    .replace('http://127.0.0.1:8000', backend)
    .replace('http://127.0.0.1:8055', identityStore)
    .replace('the password that was printed', password)
    .replaceAll('ada@example.com', colleague)
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  const options = { env, cwd: ROOT, ...(signal && { signal }) }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options)
  for (const expected of TOURS[path] ?? []) assert.match(stdout, expected)
}

/** The first JavaScript block of a document, as a module. */
export async function importExample(path: string, edit: (code: string) => string) {
  const code = /```js\n(.*?)```/s.exec(await readDocument(path))?.[1] ?? assert.fail(`${path} has no example`)
  return import(`data:text/javascript,${encodeURIComponent(edit(code))}`)
}

/** Lets this process run the recording example, which is for browsers. Its microphone records two chunks. */
export async function fakeBrowser(): Promise<void> {
  const sound = await readFile(join(ROOT, 'speech/samples/containers/clip.flac'))
  const half = Math.floor(sound.length / 2)
  class FakeRecorder extends EventTarget {
    ondataavailable = (_event: { data: Blob }): void => {}
    start = () => this.ondataavailable({ data: new Blob([sound.subarray(0, half)], { type: 'audio/flac' }) })
    stop = () => {
      this.ondataavailable({ data: new Blob([sound.subarray(half)], { type: 'audio/flac' }) })
      this.dispatchEvent(new Event('stop'))
    }
  }
  const microphone = { getTracks: () => [{ stop: () => {} }] }
  Object.assign(globalThis, { MediaRecorder: FakeRecorder })
  Object.assign(navigator, { mediaDevices: { getUserMedia: async () => microphone } })
}

/** Records a conversation with the example of the documents, and returns the response to its last request. */
export async function recordAsDocumented(
  backend: string,
  projectId: string,
): Promise<{ id: string; status: string }> {
  const page = await importExample('docs/recording.md', (code) =>
    code.replace('https://parley.example.org', backend),
  )
  const recording = await page.record(projectId, { participant_name: 'Grace' })
  assert.match(recording.withdrawUrl, /\/p\/[0-9a-f-]{36}\/withdraw\?conversation=[0-9a-f-]{36}#/)
  return recording.finish()
}
