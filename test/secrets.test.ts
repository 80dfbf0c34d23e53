import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { callerOf, request } from './support/backend.ts'
import { asAdmin, startService, temporaryFolder } from './support/service.ts'
import { newTenantOf } from './support/tenants.ts'

/** Unique strings, each sent to the service as a secret or as personal data. */
const canary = (what: string): string => `canary${what}${randomBytes(8).toString('hex')}`
const canaries = {
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
/** Secrets that the service generated and returned in responses. */
const generatedSecrets: string[] = []

const folder = await temporaryFolder()
const environment = { ADMIN_PASSWORD: canaries.adminPassword, LOG_LEVEL: 'debug' }
const service = await startService(folder, { environment })
const admin = await asAdmin(service, canaries.adminPassword)
await useEverything()
await service.stop()

async function useEverything(): Promise<void> {
  const auth = service.address('Identity store')
  const { email, userPassword: password } = canaries
  const authorization = `Bearer ${admin.token}`
  await request(`${auth}/users`, 'POST', { email, password, token: canaries.staticToken }, { authorization })
  await request(`${auth}/auth/login`, 'POST', { email, password, mode: 'session' })
  await request(`${auth}/auth/login`, 'POST', { email, password: canaries.badToken })
  const backend = service.address('Backend')
  await callerOf(backend, 'static', canaries.staticToken).get('/api/v2/me')
  await callerOf(backend, 'bad', canaries.badToken).get('/api/v2/me')
  await request(`${backend}/api/v2/me`, 'GET', undefined, {
    cookie: `service_session_token=${canaries.cookie}`,
  })
  const tenant = await newTenantOf(admin, { name: canaries.projectName })
  await admin.post(
    `/api/v2/organisations/${tenant.organisation}/members`,
    { email: canaries.email, role: 'member' },
    { 'x-other': canaries.header },
  )
  const tier = { tier: 'guardian', reason: canaries.reason }
  await admin.send('PUT', `/api/v2/admin/workspaces/${tenant.workspace}/tier`, tier)
  await useWebhooks(tenant.project)
  await admin.get(`/api/v2/organisations?cursor=${canaries.query}`)
  await admin.get(`/api/v2/projects/${canaries.query}`)
  await admin.post('/api/v2/organisations', `{"name": "${canaries.projectName}"`, {
    'content-type': 'application/json',
  })
}

/** A webhook URL can be a secret too. Its host does not exist, so that deliveries fail. */
async function useWebhooks(project: string): Promise<void> {
  const all = `/api/projects/${project}/webhooks`
  const body = { url: `https://receiver.invalid/${canaries.webhookPath}`, events: ['report.generated'] }
  const given = await admin.post(all, { ...body, secret: canaries.webhookSecret })
  assert.equal(given.status, 201, given.text)
  const path = `${all}/${given.body.id}`
  await admin.post(`${path}/test`)
  await admin.post(`${path}/rotate-secret`, { secret: canaries.secondSecret })
  await admin.post(`${path}/test`)
  await admin.post(all, { ...body, url: `not a url ${canaries.webhookPath}`, secret: canaries.webhookSecret })
  // The stored response of an idempotent request contains a secret.
  const once = { 'idempotency-key': 'once' }
  const generated = await admin.post(all, { ...body, generate_secret: true }, once)
  const again = await admin.post(all, { ...body, generate_secret: true }, once)
  assert.equal(again.body.secret, generated.body.secret)
  const rotated = await admin.post(`${path}/rotate-secret`, undefined, { 'idempotency-key': 'twice' })
  generatedSecrets.push(generated.body.secret, rotated.body.secret)
  for (const secret of generatedSecrets) assert.match(secret, /^whsec_/)
}

/** The given strings that occur in any file of the folder, including the files of the database. */
async function findInFiles(texts: string[]): Promise<string[]> {
  const patterns = texts.flatMap((text) => ['-e', text])
  const { stdout } = await promisify(execFile)('grep', ['-rahoF', ...patterns, folder]).catch(() => ({
    stdout: '',
  }))
  return [...new Set(stdout.split('\n').filter(Boolean))]
}

test('logs no secret, token, e-mail address, name or reason', () => {
  for (const [name, canary] of Object.entries(canaries)) assert.ok(!service.output().includes(canary), name)
  for (const secret of generatedSecrets) assert.ok(!service.output().includes(secret), 'a generated secret')
  assert.match(service.output(), /"msg":"request"/)
})

test('stores no password, token or webhook secret in plain text', async () => {
  // The database stores these in plain text.
  const { email: _, projectName, reason: __, webhookPath: ___, ...secrets } = canaries
  const keys = generatedSecrets.map((secret) => secret.replace('whsec_', ''))
  assert.deepEqual(
    await findInFiles([...Object.values(secrets), admin.token, ...generatedSecrets, ...keys]),
    [],
  )
  assert.deepEqual(await findInFiles([projectName]), [projectName], 'the search finds stored text')
})
