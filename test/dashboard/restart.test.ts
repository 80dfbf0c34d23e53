import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { needs } from '../portal/support/browsers.ts'
import { chromiumPath } from '../portal/support/phone.ts'
import type { Caller } from '../support/backend.ts'
import { newConversation } from '../support/conversations.ts'
import { asAdmin, newPassword, startService, takePort, temporaryFolder } from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { until } from '../support/webhooks.ts'
import { axeViolations, signIn } from './support/dashboard.ts'

/** The machine starts a service and a browser for this file alone. */
const STEP_MS = 120_000

const browsers: Browser[] = []
after(async () => {
  for (const browser of browsers) await browser.close()
})

async function openBrowser(url: string, password: string): Promise<Page> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  browsers.push(browser)
  const context = await browser.newContext({ locale: 'en-GB' })
  context.setDefaultTimeout(STEP_MS)
  const page = await context.newPage()
  await page.goto(url)
  await signIn(page, { email: 'admin@example.com', password })
  return page
}

/** The id of a report on what two people wrote. */
async function newReport(host: Caller, url: string, projectId: string): Promise<string> {
  for (const content of ['We want more trees in the park.', 'More trees, and benches below them.']) {
    const { send } = await newConversation({
      backend: { url },
      url: `${url}/api/participant/projects/${projectId}`,
    })
    await send('POST', '/text', { content })
    await send('POST', '/finish')
  }
  const path = `/api/v2/projects/${projectId}`
  await until(
    () => host.get(`${path}/conversations?status=done`),
    ({ body }) => body.data.length === 2,
  )
  const { id } = (await host.post(`${path}/reports`, { title: 'Trees' })).body
  await until(
    () => host.get(`/api/v2/reports/${id}`),
    ({ body }) => body.status === 'ready',
  )
  return id
}

test('a host whose service is killed while they edit a report loses no word, and saves when it is back', {
  ...needs('chromium'),
}, async () => {
  const folder = await temporaryFolder()
  const password = newPassword()
  const ports = await Promise.all([takePort(), takePort()])
  const [PORT, IDENTITY_PORT] = ports.map(({ port }) => String(port)) as [string, string]
  await Promise.all(ports.map(({ release }) => release()))
  const environment = { PORT, IDENTITY_PORT, ADMIN_PASSWORD: password, LOG_LEVEL: 'warn' }
  const killed = await startService(folder, { environment })
  const url = killed.address('Backend')
  const host = await asAdmin(killed, password)
  const { project } = await newTenantOf(host, { name: 'Park' })
  const report = await newReport(host, url, project)

  const page = await openBrowser(`${url}/projects/${project}/reports/${report}?edit=true`, password)
  const room = await page.context().newPage()
  await room.goto(`${url}/projects/${project}/live`)
  await room.getByText('Live', { exact: true }).waitFor()
  await page.getByLabel('Introduction').fill('Typed before the service was killed.')

  killed.child.kill('SIGKILL')
  await killed.gone
  await page.getByLabel('Title').fill('Typed while it was away')
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  const reconnecting = page.getByText('The server is not responding. Reconnecting')
  await reconnecting.waitFor()
  await page.getByText('nothing you typed is lost').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await room.getByText('Reconnecting…').waitFor()

  const again = await startService(folder, { environment })
  await reconnecting.waitFor({ state: 'detached' })
  await room.getByText('Live', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Typed while it was away')
  assert.equal(await page.getByLabel('Introduction').inputValue(), 'Typed before the service was killed.')
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await page.getByRole('heading', { level: 1, name: 'Typed while it was away' }).waitFor()
  await page.getByRole('article').getByText('Typed before the service was killed.').waitFor()
  const { body } = await (await asAdmin(again, password)).get(`/api/v2/reports/${report}`)
  assert.deepEqual([body.title, body.version], ['Typed while it was away', 2])
  await again.stop()
})
