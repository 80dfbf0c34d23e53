import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { request } from '../support/backend.ts'
import {
  asAdmin,
  newPassword,
  removeFolder,
  type Service,
  startService,
  temporaryFolder,
} from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'

let folder: string
let service: Service
const password = newPassword()
before(async () => {
  folder = await temporaryFolder()
  const environment = { ADMIN_PASSWORD: password, PORT: '0', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
  service = await startService(folder, { environment })
})
after(async () => {
  await service.stop()
  await removeFolder(folder)
})

test('with PORT=0 all links carry the port that the system chose', async () => {
  const backend = service.address('Backend')
  const admin = await asAdmin(service, password)
  const { workspace, project } = await newTenantOf(admin)
  const tier = { tier: 'changemaker', reason: 'webhooks' }
  await admin.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, tier)
  const started = await request(`${backend}/api/participant/projects/${project}/conversations`, 'POST', {})
  const [event] = (await admin.get(`/api/v2/projects/${project}/events`)).body.data
  const links = {
    withdrawal: started.body.withdraw_url,
    event: event.data.dashboard_url,
    export: (await admin.post(`/api/v2/workspaces/${workspace}/export`)).body.url,
    reference: (await request(`${backend}/api/openapi.json`, 'GET')).body.servers[0].url,
  }
  assert.notEqual(new URL(backend).port, '0')
  for (const [name, link] of Object.entries(links)) assert.equal(new URL(link).origin, backend, name)
  // Its own pages are an allowed origin, with that port.
  const preflight = await fetch(`${backend}/api/v2/me`, { headers: { origin: backend } })
  assert.equal(preflight.headers.get('access-control-allow-origin'), backend)
})

test('shows problems with the engines in the log and the banner at the start', async () => {
  assert.match(service.output(), /\n {2}Note: OPENAI_BASE_URL is set but not used/)
  assert.match(
    service.output(),
    /"reason":"OPENAI_BASE_URL is set but not used[^\n]*Check the engine settings/,
  )
})
