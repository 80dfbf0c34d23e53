import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Caller, callerOf, request } from './support/backend.ts'
import { removeFolder, type Service, signIn, startService, temporaryFolder } from './support/service.ts'

/** Words that occur nowhere else, each handed to the service in a place where a secret or a person's word stands. */
const canary = (what: string): string => `canary${what}${randomBytes(8).toString('hex')}`
const words = {
  adminPassword: canary('password'),
  userPassword: canary('userpassword'),
  staticToken: canary('static'),
  badToken: canary('badtoken'),
  cookie: canary('cookie'),
  email: `${canary('mail')}@example.com`,
  projectName: canary('project'),
  reason: canary('reason'),
  query: canary('query'),
  header: canary('header'),
  webhookSecret: canary('webhooksecret'),
  secondSecret: canary('secondsecret'),
  webhookPath: canary('webhookpath'),
}
/** Secrets that the service made itself, told in its answers alone. */
const made: string[] = []

let folder: string
let service: Service
let admin: Caller
before(async () => {
  folder = await temporaryFolder()
  service = await startService(folder, {
    environment: { ADMIN_PASSWORD: words.adminPassword, LOG_LEVEL: 'debug' },
  })
  admin = callerOf(service.address('Backend'), 'admin', await signIn(service, words.adminPassword))
  await useEverything()
  service.child.kill('SIGTERM')
  await service.ended
})
after(() => removeFolder(folder))

async function useEverything(): Promise<void> {
  const auth = service.address('Identity store')
  const asAdmin = { authorization: `Bearer ${admin.token}` }
  await request(
    `${auth}/users`,
    'POST',
    { email: words.email, password: words.userPassword, token: words.staticToken },
    asAdmin,
  )
  await request(`${auth}/auth/login`, 'POST', {
    email: words.email,
    password: words.userPassword,
    mode: 'session',
  })
  await request(`${auth}/auth/login`, 'POST', { email: words.email, password: words.badToken })
  const backend = service.address('Backend')
  await callerOf(backend, 'static', words.staticToken).get('/api/v2/me')
  await callerOf(backend, 'bad', words.badToken).get('/api/v2/me')
  await request(`${backend}/api/v2/me`, 'GET', undefined, { cookie: `service_session_token=${words.cookie}` })
  const organisation = (await admin.post('/api/v2/organisations', { name: words.projectName })).body.id
  await admin.post(
    `/api/v2/organisations/${organisation}/members`,
    { email: words.email, role: 'member' },
    { 'x-other': words.header },
  )
  const workspace = (
    await admin.post(`/api/v2/organisations/${organisation}/workspaces`, { name: words.projectName })
  ).body.id
  await admin.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, {
    tier: 'guardian',
    reason: words.reason,
  })
  await useWebhooks(workspace)
  await admin.get(`/api/v2/organisations?cursor=${words.query}`)
  await admin.get(`/api/v2/projects/${words.query}`)
  await admin.post('/api/v2/organisations', `{"name": "${words.projectName}"`, {
    'content-type': 'application/json',
  })
}

/** An address can be a secret too: whoever knows it can post there. Its name does not exist, so that sending fails. */
async function useWebhooks(workspace: string): Promise<void> {
  const project = (await admin.post(`/api/v2/workspaces/${workspace}/projects`, { name: words.projectName }))
    .body.id
  const all = `/api/projects/${project}/webhooks`
  const body = { url: `https://receiver.invalid/${words.webhookPath}`, events: ['report.generated'] }
  const given = await admin.post(all, { ...body, secret: words.webhookSecret })
  assert.equal(given.status, 201, given.text)
  const path = `${all}/${given.body.id}`
  await admin.post(`${path}/test`)
  await admin.post(`${path}/rotate-secret`, { secret: words.secondSecret })
  await admin.post(`${path}/test`)
  await admin.post(all, { ...body, url: `not a url ${words.webhookPath}`, secret: words.webhookSecret })
  // The answer of a repeated request is kept, and it holds a secret.
  const once = { 'idempotency-key': 'once' }
  const generated = await admin.post(all, { ...body, generate_secret: true }, once)
  const again = await admin.post(all, { ...body, generate_secret: true }, once)
  assert.equal(again.body.secret, generated.body.secret)
  const rotated = await admin.post(`${path}/rotate-secret`, undefined, { 'idempotency-key': 'twice' })
  made.push(generated.body.secret, rotated.body.secret)
  for (const secret of made) assert.match(secret, /^whsec_/)
}

/** The words that stand in any file of the folder, the database's own files included. */
async function found(among: string[]): Promise<string[]> {
  const patterns = among.flatMap((word) => ['-e', word])
  const { stdout } = await promisify(execFile)('grep', ['-rahoF', ...patterns, folder]).catch(() => ({
    stdout: '',
  }))
  return [...new Set(stdout.split('\n').filter(Boolean))]
}

test('no secret, token, address, name or reason is in anything that was printed', () => {
  for (const [what, word] of Object.entries(words)) assert.ok(!service.output().includes(word), what)
  for (const secret of made) assert.ok(!service.output().includes(secret), 'a secret that was made here')
  assert.match(service.output(), /"msg":"request"/)
})

test('no password, token or webhook’s secret is in any file of the data folder', async () => {
  // The database holds these by right.
  const { email: _, projectName, reason: __, webhookPath: ___, ...secrets } = words
  const keys = made.map((secret) => secret.replace('whsec_', ''))
  assert.deepEqual(await found([...Object.values(secrets), admin.token, ...made, ...keys]), [])
  assert.deepEqual(await found([projectName]), [projectName], 'the search finds what is there')
})
