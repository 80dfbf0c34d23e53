import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { chromiumPath } from '../portal/support/phone.ts'
import { callerOf, request, startBackend, type TestBackend } from '../support/backend.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { takePort } from '../support/service.ts'
import { newTenantOf, type Tenant } from '../support/tenants.ts'
import { emitNow, newEventOf, newWebhook, setTier, until } from '../support/webhooks.ts'
import { axeViolations, signIn } from './support/dashboard.ts'

const MARKUP = '<img src=x onerror="window.wasRun = true">'
const MANY = 10_000

let backend: TestBackend
let tenant: Tenant
let browser: Browser
let page: Page
/** Exceptions, violations of the content security policy, and what axe finds. */
const complaints: string[] = []
const receiver = await startReceiver()

before(async () => {
  const { port, release } = await takePort()
  await release()
  const url = `http://127.0.0.1:${port}`
  backend = await startBackend({ worker: true, port, publicUrl: url, allowedOrigins: [url] })
  const { email, password } = backend.admin
  const { body } = await request(`${backend.identityUrl}/auth/login`, 'POST', { email, password })
  tenant = await newTenantOf(callerOf(url, 'admin', body.data.access_token), { name: 'The new park' })
  await setTier(backend, tenant, 'changemaker')
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  await signInAt(page, webhooksPage(), backend.admin)
})
after(async () => {
  await browser?.close()
  await backend?.stop()
  await receiver.close()
})

async function signInAt(at: Page, path: string, credentials: TestBackend['admin']): Promise<void> {
  await at.goto(`${backend.url}${path}`)
  await signIn(at, credentials)
}

/** A user with a password and a role in the workspace. */
async function newColleague(role: string): Promise<TestBackend['admin']> {
  const credentials = { email: `${randomUUID()}@example.org`, password: randomUUID() }
  const { owner, workspace } = tenant
  const bearer = { authorization: `Bearer ${owner.token}` }
  const { body } = await request(`${backend.identityUrl}/users`, 'POST', credentials, bearer)
  const { status } = await owner.post(`/api/v2/workspaces/${workspace}/members`, {
    user_id: body.data.id,
    role,
  })
  assert.equal(status, 201)
  return credentials
}

const webhooksPage = (): string => `/projects/${tenant.project}/webhooks`
const open = (path: string) => page.goto(`${backend.url}${path}`)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const emit = () => emitNow(backend, newEventOf('conversation.summarized', tenant.project))
const hmac = (secret: string, { body }: Received): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/** The last test fails if anything was found. */
const checkAccessibility = async (): Promise<void> => void complaints.push(...(await axeViolations(page)))

test('a webhook is created with a generated secret, and a test shows the whole request', async () => {
  await page.getByText('No webhooks yet').waitFor()
  await button('New webhook').click()
  const address = page.getByLabel('Address')
  await address.fill('ftp://example.org')
  await page.getByText('The address must start with https://').waitFor()
  await address.fill(`${receiver.url}/hook`)
  await page.getByText('The address must start with https://').waitFor({ state: 'hidden' })
  await button('Create the webhook').click()
  await page.getByText('Choose at least one event').waitFor()
  await page.getByLabel('A summary is ready').check()
  await page.getByLabel('Name').fill(MARKUP)
  await checkAccessibility()
  await button('Create the webhook').click()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  assert.match(secret, /^whsec_/)
  await button('I have stored it').click()
  await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor()
  assert.ok(!(await page.content()).includes(secret), 'the secret is shown once')

  await button('Send a test').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText(/The receiver returned 204 in/).waitFor()
  const [received] = await receiver.got(1)
  assert.equal(received?.headers['x-service-signature'], hmac(secret, received as Received))
  await dialog.getByRole('button', { name: 'Request', exact: true }).click()
  await dialog.getByText(hmac(secret, received)).waitFor()
  await dialog.getByText('"test_of": "conversation.summarized"').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('list', { name: 'Deliveries' }).getByText('Delivered').waitFor()
})

test('a failure is shown while it happens, and missed events are replayed after the repair', async () => {
  receiver.respond = (response) => response.writeHead(503).end()
  const before = receiver.received.length
  await emit()
  const list = page.getByRole('list', { name: 'Deliveries' })
  // Nothing is clicked: the list is live.
  await list.getByText('503').first().waitFor()
  await list.getByRole('link', { name: 'A summary is ready' }).first().click()
  await page.getByRole('heading', { name: /Attempt 1 · 503/ }).waitFor()
  await page.getByText('Next attempt').waitFor()
  await page.getByRole('link', { name: MARKUP }).click()

  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await button('Disable').click()
  await page.getByText('It was disabled by hand.').waitFor()
  await page.getByText(/1 delivery was missed/).waitFor()
  receiver.respond = (response) => response.writeHead(200).end()
  await button('Enable').click()
  await page.getByText('It was disabled by hand.').waitFor({ state: 'hidden' })

  await button('Replay events').click()
  await button('Start the replay').click()
  await page.getByRole('heading', { name: 'Replay has finished' }).waitFor()
  await page.getByText('1 of 1 done').waitFor()
  await page.getByText(/1 delivery was missed/).waitFor({ state: 'hidden' })
  const [first, last] = [receiver.received[before], receiver.received.at(-1)]
  assert.equal(last?.headers['webhook-id'], first?.headers['webhook-id'])
  assert.match(page.url(), /replay=/)
  await page.reload()
  await page.getByRole('heading', { name: 'Replay has finished' }).waitFor()
  await checkAccessibility()
})

test('both secrets sign during the overlap of a rotation, and settings refuse to overwrite a change', async () => {
  assert.equal(await page.locator('#rotate').count(), 0, 'settings are rendered when they are opened')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await button('Rotate').click()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  await page.getByText('The old secret still signs beside it until').waitFor()
  await button('I have stored it').click()
  const count = receiver.received.length
  await emit()
  const received = (await receiver.got(count + 1)).at(-1) as Received
  assert.equal(received.headers['x-service-signature'], hmac(secret, received))
  assert.match(String(received.headers['x-service-signature-previous']), /^[0-9a-f]{64}$/)

  await page.getByLabel('Name').fill('Mine')
  await page.getByRole('tab', { name: 'Deliveries' }).click()
  await page.getByRole('list', { name: 'Deliveries' }).waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Mine', 'unsaved changes are kept')
  const id = /webhooks\/([^?/]+)/.exec(page.url())?.[1]
  await tenant.owner.send('PATCH', `/api/projects/${tenant.project}/webhooks/${id}`, { name: 'Theirs' })
  await button('Save changes').click()
  await page.getByText('Someone else changed this in the meantime.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Mine')
  await checkAccessibility()
  await button('Save changes').click()
  await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
})

test('10,000 deliveries scroll with few rows in the page, and filters are in the address', async () => {
  const { id } = await newWebhook(tenant, { url: `${receiver.url}/many`, name: 'Many' })
  await insertDeliveries(id)
  let requests = 0
  const isPage = (request: Request) => request.url().includes('/deliveries?')
  page.on('request', (request) => {
    if (isPage(request)) requests += 1
  })
  const firstPage = page.waitForResponse((response) => isPage(response.request()))
  await open(`${webhooksPage()}/${id}?range=30d`)
  await firstPage
  assert.equal(requests, 1, 'the list and the poll for the newest begin with the same page')
  await page.getByRole('img', { name: '10,000 deliveries in 30 days, 98% delivered' }).waitFor()
  await page.getByRole('img', { name: /Median 150 ms/ }).waitFor()
  await checkAccessibility()
  await button('As a table').click()
  await page.getByRole('columnheader', { name: '95th percentile' }).waitFor()
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await until(
    async () => {
      await page.mouse.wheel(0, 20_000)
      return page.getByText(/^[\d,]+ deliveries\+?$/).innerText()
    },
    (text) => Number.parseInt(text.replace(',', ''), 10) >= 500,
  )
  assert.ok((await rows.count()) < 60)
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Failed' }).click()
  await page.getByText(/^200 deliveries$|^100 deliveries\+$/).waitFor()
  assert.match(page.url(), /status=failed/)
  await page.evaluate('scrollTo(0, 0)')
  await rows.first().getByRole('link').click()
  await page.getByText(MARKUP).waitFor()
  await page.getByText('TLS 20 ms').waitFor()
  await checkAccessibility()
  await page.goBack()
  await rows.first().waitFor()
  assert.match(page.url(), /status=failed/)
  assert.equal(await page.evaluate('window.wasRun'), undefined)
})

test('the guide has receivers by language and the events with their schemas', async () => {
  await page.getByRole('tab', { name: 'Guide' }).click()
  await page.getByRole('tab', { name: 'Python' }).click()
  await page.getByText('import hmac').waitFor()
  await page.getByRole('button', { name: /A report is ready/ }).click()
  await page.getByRole('tab', { name: 'JSON Schema' }).click()
  await page.getByText('"$schema"').waitFor()
  await checkAccessibility()
})

test('on a phone no field of the events is cut', async () => {
  const size = page.viewportSize()
  // Before the page opens: the menu slides away when a window becomes narrow.
  await page.setViewportSize({ width: 360, height: 740 })
  await open(`${webhooksPage()}/events`)
  await page.getByRole('cell', { name: '"conversation.started"' }).waitFor()
  const cut = await page.evaluate<string[]>(
    '[...document.querySelectorAll("td")].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)',
  )
  await checkAccessibility()
  if (size) await page.setViewportSize(size)
  assert.deepEqual(cut, [])
  assert.equal(await page.getByText('`').count(), 0, 'names are shown as code, without their backticks')
})

test('below the tier the section says which tier includes it', async () => {
  await setTier(backend, tenant, 'free')
  await open(webhooksPage())
  await page.getByText('Webhooks are part of the Changemaker tier').waitFor()
  await page.getByText(/This workspace is on the Free tier/).waitFor()
  await checkAccessibility()
  await setTier(backend, tenant, 'changemaker')
})

test('a member, who is not allowed to manage webhooks, is not offered them', async () => {
  const context = await browser.newContext()
  const other = await context.newPage()
  await signInAt(other, `/projects/${tenant.project}`, await newColleague('member'))
  const menu = other.getByRole('navigation')
  await menu.getByRole('link', { name: 'Reports' }).waitFor()
  // The capabilities have arrived when the switch of the project that they allow is there.
  await other.getByRole('button', { name: 'Close the project' }).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Webhooks' }).count(), 0)
  await other.goto(`${backend.url}${webhooksPage()}`)
  await other.getByRole('heading', { name: 'Your role does not include this page' }).first().waitFor()
  assert.equal(await other.getByRole('button', { name: 'New webhook' }).count(), 0)
  await context.close()
})

test('every page is accessible and keeps the content security policy', () => {
  assert.deepEqual(complaints, [])
})

/** Over 20 days; one in 50 failed, with a response that contains markup. */
async function insertDeliveries(webhookId: string): Promise<void> {
  await backend.database.pool.query(
    `with made as (
       insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status, attempts, created_at,
         due_at, expires_at, finished_at, last_status, last_error)
       select (left(uuid_floor(at)::text, 19) || right(gen_random_uuid()::text, 17))::uuid, $1, $2, 'conversation.started', at,
         'event', 'full', case when i % 50 = 0 then 'failed' else 'succeeded' end, 1, at, at, at, at,
         case when i % 50 = 0 then 500 else 200 end, case when i % 50 = 0 then 'status' end
       from (select i, now() - i * interval '20 days' / $3 as at from generate_series(1, $3) as i) t
       returning id, created_at, last_status, last_error
     )
     insert into attempts
     select id, 1, created_at, 150, last_status, last_error, $4 from made`,
    [
      webhookId,
      randomUUID(),
      MANY,
      {
        opened: false,
        address: '192.0.2.7',
        secret_version: null,
        dns_ms: 5,
        connect_ms: 15,
        tls_ms: 20,
        first_byte_ms: 100,
        answer_headers: { 'content-type': 'text/html' },
        answer_body: MARKUP,
      },
    ],
  )
}
