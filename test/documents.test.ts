import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { newEncryptionKey } from '../platform/encryption.ts'
import { testDatabase } from './support/database.ts'
import { asAdmin, newPassword, startService, temporaryFolder } from './support/service.ts'
import { newTenantOf } from './support/tenants.ts'

const password = newPassword()
const database = await testDatabase()
const service = await startService(await temporaryFolder(), {
  environment: { ADMIN_PASSWORD: password, DATABASE_URL: database.url, ENCRYPTION_KEY: newEncryptionKey() },
})
after(async () => {
  await service.stop()
  await database.drop()
})

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')

/** Runs the shell blocks of a document, one after the other, against the running service. */
async function runDocument(path: string): Promise<string> {
  const document = await read(path)
  const script = [...document.matchAll(/```sh\n(.*?)```/gs)]
    .map((match) => match[1])
    .join('\necho\n')
    .replace('http://127.0.0.1:8000', service.address('Backend'))
    .replace('http://127.0.0.1:8055', service.address('Identity store'))
    .replace('the password that was printed', password)
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
  return stdout
}

test('the commands of the README print a transcript', async () => {
  assert.match(await runDocument('README.md'), /ill-disposed young man/)
})

test('every command of the getting-started guide works as printed', async () => {
  const stdout = await runDocument('docs/getting-started.md')
  assert.match(stdout, /"staff":true/)
  assert.match(stdout, /"name":"A park for all","language":"nl"/)
  assert.match(stdout, /"is_open":false/)
  assert.match(stdout, /"name":"Ada","email":"ada@example.com","role":"observer"/)
  assert.match(stdout, /"code":"capability_required"/)
  assert.match(stdout, /"tier":"changemaker"/)
  assert.match(stdout, /"delivery_id":"[0-9a-f-]{36}","success":(true|false)/)
  assert.match(stdout, /# Webhook [\s\S]*\n## Receivers\n/)
  assert.match(stdout, /"action":"workspace.tier_set".*"reason":"A trial for the city"/)
})

/** The first JavaScript block of a document, as a module. */
async function importExample(path: string, edit: (code: string) => string) {
  const code = /```js\n(.*?)```/s.exec(await read(path))?.[1] ?? assert.fail(`${path} has no example`)
  return import(`data:text/javascript,${encodeURIComponent(edit(code))}`)
}

test('the recording example of the documents sends every chunk and finishes', async (t) => {
  const base = service.address('Backend')
  const { project } = await newTenantOf(await asAdmin(service, password))
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
  const browser = globalThis as { MediaRecorder?: unknown }
  browser.MediaRecorder = FakeRecorder
  const microphone = { getTracks: () => [{ stop: () => {} }] }
  Object.assign(navigator, { mediaDevices: { getUserMedia: async () => microphone } })
  t.after(() => delete browser.MediaRecorder)

  const page = await importExample('docs/recording.md', (code) =>
    code.replace('https://parley.example.org', base),
  )
  const recording = await page.record(project, { participant_name: 'Grace' })
  assert.match(recording.withdrawUrl, /\/p\/[0-9a-f-]{36}\/withdraw\?conversation=[0-9a-f-]{36}#/)
  assert.equal((await recording.finish()).status, 202)
})

test('the signature example of the documents accepts both secrets of a rotation and no other', async () => {
  const { isGenuine } = await importExample('docs/webhooks.md', (code) => `${code}\nexport { isGenuine }`)
  const body = Buffer.from('{"id": 1}')
  const signature = createHmac('sha256', 'secret').update(body).digest('hex')
  const checks = [
    [{ 'x-service-signature': signature }, true],
    [{ 'x-service-signature': '0'.repeat(64), 'x-service-signature-previous': signature }, true],
    [{ 'x-service-signature': '0'.repeat(64) }, false],
    [{}, false],
  ]
  for (const [headers, expected] of checks) assert.equal(isGenuine(body, headers, 'secret'), expected)
})

test('every link between documents leads to a file and a heading', () => {
  const files = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').replaceAll(/```.*?```/gs, '')
  const headingsOf = (file: string) =>
    [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const broken = files.flatMap((file) =>
    [...textOf(file).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)]
      .filter(([, path = '', heading = '']) => {
        const target = path === '' ? file : join(dirname(file), path)
        return !existsSync(join(ROOT, target)) || (heading !== '' && !headingsOf(target).includes(heading))
      })
      .map(([link]) => `${file}: ${link}`),
  )
  assert.deepEqual(broken, [])
})
