import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * `npm run demo:audio`: sends the speech samples to a running service (`npm start`) as a participant would, generates a report, and
 * prints the results. Set PASSWORD to that of the first administrator, and BASE, AUTH and EMAIL if they differ from the defaults.
 */
const { BASE = 'http://127.0.0.1:8000', AUTH = 'http://127.0.0.1:8055' } = process.env
const { EMAIL = 'admin@example.com', PASSWORD } = process.env
const SAMPLES = join(import.meta.dirname, '../speech/samples')
const SPOKEN: [language: string, ...files: string[]][] = [
  ['en', 'en-librivox-1.flac', 'en-asterisk-1.flac'],
  ['fr', 'fr-asterisk-1.flac'],
  ['es', 'es-asterisk-1.flac'],
]

if (!PASSWORD) {
  console.error('Set PASSWORD to the password that the first start printed.')
  process.exit(1)
}

interface Body {
  [field: string]: unknown
}

async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Body> {
  const raw = body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: { ...(raw ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${text}`)
  return text === '' ? {} : (JSON.parse(text) as Body)
}

const { access_token } = await call(`${AUTH}/auth/login`, 'POST', {}, { email: EMAIL, password: PASSWORD })
const host = { authorization: `Bearer ${String(access_token)}` }
const api = (path: string) => `${BASE}/api/v2${path}`
const create = async (path: string, body: object) => String((await call(api(path), 'POST', host, body))['id'])

const organisation = await create('/organisations', { name: 'Demo' })
const workspace = await create(`/organisations/${organisation}/workspaces`, { name: 'Demo' })
const project = await create(`/workspaces/${workspace}/projects`, {
  name: 'Demo',
  languages: ['en', 'fr', 'es'],
})
console.log(`Project ${project}`)

for (const [language, ...files] of SPOKEN) {
  const id = await record(language, files)
  await until(api(`/conversations/${id}`), 'done')
  const { entries } = await call(api(`/conversations/${id}/transcript?format=json`), 'GET', host)
  console.log(`\n${language}: ${files.join(', ')}`)
  for (const { text } of entries as { text: string }[]) console.log(`  ${text}`)
}

const report = await create(`/projects/${project}/reports`, { title: 'What the samples say', language: 'en' })
await until(api(`/reports/${report}`), 'ready')
console.log(`\nThe report: ${api(`/reports/${report}?format=pdf`)} (also md and html)`)

/** As a phone would: no account, a chunk for each file. */
async function record(language: string, files: string[]): Promise<string> {
  const participant = `${BASE}/api/participant`
  const started = await call(`${participant}/projects/${project}/conversations`, 'POST', {}, { language })
  const one = `${participant}/conversations/${String(started['id'])}`
  const token = { 'x-participant-token': String(started['token']) }
  for (const [seq, file] of files.entries())
    await call(
      `${one}/chunks/${seq}`,
      'PUT',
      { ...token, 'content-type': 'audio/flac' },
      await readFile(join(SAMPLES, file)),
    )
  await call(`${one}/finish`, 'POST', token, { chunks: files.length })
  return String(started['id'])
}

async function until(url: string, status: string): Promise<void> {
  for (;;) {
    const record = await call(url, 'GET', host)
    if (record['status'] === status) return
    if (record['status'] === 'failed') throw new Error(`${url} failed: ${String(record['failure'])}`)
    await pause(500)
  }
}
