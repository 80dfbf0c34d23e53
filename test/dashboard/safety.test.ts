import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { newId } from '../../platform/ids.ts'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { everything } from '../access/fixtures.ts'
import { validBody } from '../access/requests.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, type Portal, untilStatus } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { newTenantOf } from '../support/tenants.ts'
import { until } from '../support/webhooks.ts'
import { dashboardService, type Person } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines, worker: true })
const options = needs('chromium')

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
/** Turns the direction of all that follows it in the same line. */
const TURNED = '\u202Edlo eht fo eman'
const LINK = 'javascript:window.hacked=1'
const HOSTILE = `${MARKUP} ${LINK} ${TURNED}`

let receiver: Receiver
/** A site of someone else. */
let attacker: Server
before(async () => {
  receiver = await startReceiver()
  receiver.respond = (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(HOSTILE)
  attacker = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Prizes</title><p>Prizes!'),
  )
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  attacker.close()
  await receiver.close()
})

interface Planted extends Portal {
  host: Person
  cid: string
  rid: string
  webhook: string
}

/** A project in which every text that someone else can write is hostile. */
async function plant(): Promise<Planted> {
  const { backend, admin } = dashboard
  const host = await dashboard.newPerson(TURNED)
  const name = HOSTILE.slice(0, 180)
  const portal = await newPortalOf(backend, host, { name, tags: [TURNED, MARKUP.slice(0, 90)] })
  const { workspaceId: workspace, projectId: project } = portal
  await admin.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, {
    tier: 'changemaker',
    reason: HOSTILE,
  })
  const hooks = `/api/projects/${project}/webhooks`
  const hook = { url: `${receiver.url}/?${encodeURIComponent(MARKUP)}`, name: TURNED + MARKUP.slice(0, 60) }
  const webhook = (await host.post(hooks, { ...hook, events: ['conversation.started', 'report.generated'] }))
    .body.id
  const refused = await host.post(hooks, { url: LINK, events: ['report.generated'] })
  assert.equal(refused.status, 422)
  const start = { participant_name: HOSTILE.slice(0, 190), tags: [TURNED, MARKUP.slice(0, 90)] }
  const { id: cid, token, send } = await newConversation(portal, start)
  await send('POST', '/text', { content: HOSTILE })
  await send('PUT', '/chunks/0', wavOf(`${HOSTILE}\nWe want more trees in the park.`, 9))
  await send('POST', '/finish')
  await untilStatus(portal, cid, token, 'done')
  await host.send('PATCH', `/api/v2/conversations/${cid}`, { title: HOSTILE })
  const rid = (await host.post(`/api/v2/projects/${project}/reports`, { title: HOSTILE })).body.id
  const report = `/api/v2/reports/${rid}`
  await until(
    () => host.get(report),
    ({ body }) => body.status === 'ready',
  )
  const paragraphs = [{ from: null, text: HOSTILE }]
  await host.send('PUT', `${report}/document`, {
    version: 1,
    title: HOSTILE,
    introduction: HOSTILE,
    sections: [{ from: null, heading: HOSTILE, paragraphs, quotations: [] }],
  })
  await host.send('PATCH', report, { published: true })
  await host.post(`/api/v2/workspaces/${workspace}/members`, {
    email: 'x+"<img>"@example.com',
    role: 'member',
  })
  await receiver.got(1)
  return { ...portal, host, cid, rid, webhook }
}

/** Every address of the dashboard. */
function pathsOf({ organisationId, workspaceId, projectId, cid, rid, webhook }: Planted): string[] {
  const project = `/projects/${projectId}`
  return [
    '/',
    '/profile',
    '/nonsense',
    ...['', '/members', '/audit', '/settings'].map((part) => `/organisations/${organisationId}${part}`),
    ...['', '/members', '/settings'].map((part) => `/workspaces/${workspaceId}${part}`),
    ...['', '/conversations', `/conversations/${cid}`, '/reports', `/reports/${rid}`].map(
      (part) => `${project}${part}`,
    ),
    `${project}/reports/${rid}?edit=true`,
    ...['', `/${webhook}`].map((part) => `${project}/webhooks${part}`),
    ...['', '/organisations', '/workspaces', '/webhooks', '/jobs', '/audit'].map((part) => `/staff${part}`),
  ]
}

/** How many texts have control characters for the direction, and those of them that also turn the text beside them. */
const FIND_TURNED = `(() => {
  const found = []
  let texts = 0
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.includes('\\u202E') || node.parentElement.closest('script, textarea, title')) continue
    texts++
    let element = node.parentElement
    const isOpen = () => {
      const { display, unicodeBidi } = getComputedStyle(element)
      return display.startsWith('inline') && display === 'inline' && !/isolate|plaintext/.test(unicodeBidi)
    }
    while (isOpen()) element = element.parentElement
    if (/isolate|plaintext/.test(getComputedStyle(element).unicodeBidi)) continue
    const beside = element.textContent.replace(node.data, '').trim()
    if (beside !== '') found.push(element.outerHTML.slice(0, 200))
  }
  return { found, texts }
})()`

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

test(
  'nothing that strangers wrote becomes markup, a link or a turned line, and no page breaks its policy',
  options,
  async () => {
    const planted = await plant()
    await planted.host.post(`/api/v2/workspaces/${planted.workspaceId}/members`, {
      user_id: dashboard.admin.userId,
      role: 'admin',
    })
    const page = await dashboard.open(dashboard.admin)
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) violations.push(`${page.url()} ${message.text()}`)
    })
    const wrong: string[] = []
    let texts = 0
    for (const path of pathsOf(planted)) {
      await page.goto(`${dashboard.backend.url}${path}`)
      await settled(page)
      if (await page.evaluate("'hacked' in window")) wrong.push(`${path}: a script ran`)
      for (const html of await page.locator('img[src="x"], [onerror], a[href^="javascript:" i]').all())
        wrong.push(`${path}: ${await html.evaluate((node: { outerHTML: string }) => node.outerHTML)}`)
      const turned = await page.evaluate<{ found: string[]; texts: number }>(FIND_TURNED)
      texts += turned.texts
      wrong.push(...turned.found.map((html) => `${path} turned: ${html}`))
    }
    assert.deepEqual(wrong, [])
    assert.ok(texts > 20, `only ${texts} texts were looked at`)
    assert.deepEqual(violations, [])
    // The receiver's response is shown as text.
    const [delivery] = (
      await planted.host.get(`/api/projects/${planted.projectId}/webhooks/${planted.webhook}/deliveries`)
    ).body.data
    await page.goto(
      `${dashboard.backend.url}/projects/${planted.projectId}/webhooks/${planted.webhook}/deliveries/${delivery.id}`,
    )
    await settled(page)
    await page.goto(`${dashboard.backend.url}/r/${planted.rid}`)
    await page.getByText(MARKUP).first().waitFor()
    assert.equal(await page.evaluate("'hacked' in window"), false)
    assert.deepEqual(violations, [])

    // The policy is in force: an injected script does not run.
    await page.goto(dashboard.backend.url)
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { text: 'window.hacked = 1' }))",
    )
    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked = 1\">')",
    )
    await page.waitForTimeout(200)
    assert.equal(await page.evaluate("'hacked' in window"), false)
    assert.ok(violations.length >= 2)
  },
)

test('no script can reach the session', options, async () => {
  const host = await dashboard.newPerson('Mara')
  const { project } = await newTenantOf(host, { name: 'Park' })
  const page = await dashboard.open(host, `/projects/${project}/conversations`)
  await page.getByRole('searchbox').waitFor()
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'service_session_token')
  assert.ok(cookie)
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Lax'])
  const reachable = (await page.evaluate(`(async () => {
    const seen = new Set()
    const texts = []
    const visit = (value, depth) => {
      if (typeof value === 'string') return void texts.push(value)
      if (value === null || typeof value !== 'object' || seen.has(value) || depth > 6) return
      seen.add(value)
      let keys = []
      try { keys = Reflect.ownKeys(value) } catch {}
      for (const key of keys) { try { visit(value[key], depth + 1) } catch {} }
    }
    visit(globalThis, 0)
    const app = document.getElementById('app')
    for (const key of Object.keys(app)) visit(app[key], 0)
    const databases = await indexedDB.databases()
    return [document.cookie, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }),
      JSON.stringify(databases), document.documentElement.outerHTML, ...texts].join('\\n')
  })()`)) as string
  assert.ok(reachable.length > 10_000)
  assert.ok(!reachable.includes(cookie.value))
  assert.doesNotMatch(reachable, /eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/)
  assert.doesNotMatch(reachable, /a good password/)
})

/** All rows that requests change. Deliveries continue in the background. */
const changeable = async () =>
  Object.entries(await everything(dashboard.backend)).filter(
    ([table]) => !/^(attempts|deliveries|dispatchers|endpoint_queues)/.test(table),
  )

interface Attack {
  method: string
  url: string
  body: unknown
}

/** Every request that another site can send with the cookies of its visitor. */
const ATTACK = `async (attacks) => {
  const send = (attack, init) =>
    fetch(attack.url, { method: attack.method, credentials: 'include', body: JSON.stringify(attack.body), ...init })
      .then(() => {}, () => {})
  for (const attack of attacks) {
    await send(attack, { headers: { 'content-type': 'application/json' } })
    if (attack.method !== 'POST') continue
    await send(attack, { mode: 'no-cors', headers: { 'content-type': 'text/plain' } })
    navigator.sendBeacon(attack.url, JSON.stringify(attack.body))
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
      const frame = document.createElement('iframe')
      frame.name = 'frame' + Math.random()
      document.body.append(frame)
      const form = Object.assign(document.createElement('form'), { method: 'POST', action: attack.url, enctype, target: frame.name })
      const fields = enctype === 'text/plain'
        ? [[JSON.stringify(attack.body).slice(0, -1) + ',"x":"', '"}']]
        : Object.entries(attack.body)
      for (const [name, value] of fields)
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
      document.body.append(form)
      const done = new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1000) })
      form.submit()
      await done
      frame.remove()
    }
  }
}`

test(
  'another site changes nothing with the cookies of its visitor, and cannot sign the visitor in as someone else',
  options,
  async () => {
    const planted = await plant()
    const { backend, admin } = dashboard
    const { paths } = (await (await fetch(`${backend.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const { organisationId: oid, workspaceId: wid, projectId: pid, cid, rid, webhook: id } = planted
    const ids: Record<string, string> = { oid, wid, pid, cid, rid, id, user_id: admin.userId }
    const attacks: Attack[] = Object.entries(paths)
      .filter(([path]) => !path.startsWith('/api/participant'))
      .flatMap(([path, operations]) =>
        ['post', 'put', 'patch', 'delete']
          .filter((method) => method in operations)
          .map((method) => ({
            method: method.toUpperCase(),
            url: backend.url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? newId()),
            body: validBody({ name: `${method.toUpperCase()} ${path}` }, newId()) ?? {},
          })),
      )
    assert.ok(attacks.length > 40)
    const villain = await dashboard.newPerson('Villain')
    const { email, password } = villain
    const atIdentity: Attack[] = [
      { method: 'POST', url: '/auth/login', body: { email, password, mode: 'session' } },
      { method: 'POST', url: '/auth/logout', body: { mode: 'session' } },
      { method: 'POST', url: '/users/me/tfa/generate', body: { password: admin.password } },
      { method: 'PATCH', url: '/users/me', body: { first_name: 'Villain' } },
    ].map(({ url, ...rest }) => ({ ...rest, url: backend.identityUrl + url }))

    const page = await dashboard.open(admin)
    const session = async () =>
      (await page.context().cookies()).find(({ name }) => name === 'service_session_token')?.value
    const signedIn = await session()
    const unchanged = await changeable()
    const { port } = attacker.address() as AddressInfo
    // The same site to a browser, which sends all cookies; and another one.
    for (const host of ['127.0.0.1', 'localhost']) {
      const other = await page.context().newPage()
      const answers: Response[] = []
      other.on('response', (response) => answers.push(response))
      await other.goto(`http://${host}:${port}`)
      answers.length = 0
      await other.evaluate(`(${ATTACK})(${JSON.stringify([...attacks, ...atIdentity])})`)
      const accepted = answers.filter((one) => one.ok() && one.request().method() !== 'OPTIONS')
      assert.deepEqual(
        accepted.map((one) => `${one.request().method()} ${one.url()}`),
        [],
        host,
      )
      // Without the cookie, which browsers do not send from another site with a POST, the caller is unknown.
      const refused = answers.filter((one) => one.status() === (host === 'localhost' ? 401 : 403))
      assert.ok(refused.length > 30, `${refused.length} attacks from ${host} reached the server`)
      await other.close()
    }
    assert.deepEqual(await changeable(), unchanged)
    assert.equal(await session(), signedIn)
    await page.reload()
    await page.getByRole('button', { name: 'Admin' }).waitFor()
    const me = await admin.get('/api/v2/me')
    assert.equal(me.body.user.id, admin.userId)
    assert.doesNotMatch(me.body.user.name ?? '', /Villain/)

    // The same request from the dashboard itself works.
    const own = await page.evaluate(
      `fetch('/api/v2/organisations', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Own"}' }).then((r) => r.status)`,
    )
    assert.equal(own, 201)
  },
)
