import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { plainText } from '../../server/api/files/plain-text.ts'
import { LANGUAGES } from '../../web/portal/languages/languages.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal, type Portal } from '../support/conversations.ts'
import { until } from '../support/webhooks.ts'
import { newPhone, type Phone, untilStep } from './support/phone.ts'
import { speechFile } from './support/speech.ts'

const inPage = (name: string) => readFileSync(join(import.meta.dirname, 'in-page', name), 'utf8')
const WATCH = inPage('watch-safety.js')
const FIND_UNSAFE = inPage('find-unsafe.js')
const FIND_REORDERED = inPage('find-reordered.js')
const ALL_STORED = inPage('all-stored.js')

/** Right-to-left override, isolates, embeddings and their ends, unbalanced on purpose. */
const BIDI = '\u202egnirts\u2069\u2066\u202b\u200f\u061c'
const HOSTILE =
  '</script><script>hacked("script")</script><img src=x onerror=hacked("img")><svg onload=hacked("svg")>' +
  '<a href="javascript:hacked(1)">x</a><iframe src="data:text/html,<script>parent.hacked(2)</script>"></iframe>' +
  `"'\`\${hacked(3)}{{hacked(4)}}<!--${BIDI}`
/** For fields with less room. */
const SHORT = `<img src=x onerror=hacked(5)><script>hacked(6)</script>"'${BIDI}`

let backend: TestBackend
let phone: Phone
before(async () => {
  backend = await startBackend({ enqueues: true })
  phone = await newPhone((await speechFile(['en-librivox-1'])).path)
  await phone.context.addInitScript({ content: WATCH })
})
after(async () => {
  await phone[Symbol.asyncDispose]()
  await backend.stop()
})

const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)

/** A page that notes errors, dialogs, windows and requests to other hosts. */
async function open(path: string) {
  const incidents: string[] = []
  const requested: string[] = []
  const page = await phone.context.newPage()
  page.on('console', (message) => {
    // A browser reports every 404, also the one of a wrong link.
    if (message.type() === 'error' && !message.text().includes('status of 404'))
      incidents.push(message.text())
  })
  page.on('pageerror', (error) => incidents.push(String(error)))
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => incidents.push(`window: ${popup.url()}`))
  page.on('request', (request) => {
    requested.push(request.url())
    if (request.headers()['referer']) incidents.push(`referrer: ${request.url()}`)
    if (!request.url().startsWith(backend.url) && !request.url().startsWith('blob:'))
      incidents.push(`request: ${request.url()}`)
  })
  await page.goto(`${backend.url}${path}`)
  await page.waitForSelector('h1')
  const assertSafe = async (screen: string) => {
    assert.deepEqual(await page.evaluate(FIND_UNSAFE), [], screen)
    assert.deepEqual(incidents, [], screen)
  }
  return { page, requested, assertSafe }
}

const next = (page: Page) => page.click('.actions .primary')

/** Every field that a host can write. */
async function hostilePortal(): Promise<Portal> {
  const portal = await newPortal(backend, {
    name: SHORT,
    title: SHORT,
    description: `${HOSTILE}\n\n${HOSTILE}`,
    consent_text: HOSTILE,
    finish_text: HOSTILE,
    tags: [SHORT, 'javascript:hacked(7)', `${BIDI}tag`],
    ask_name: true,
    ask_email: true,
    privacy_url: 'https://example.org/"><script>hacked(8)</script>',
  })
  const { status } = await portal.owner.send('PATCH', `/api/v2/organisations/${portal.organisationId}`, {
    name: SHORT,
  })
  assert.equal(status, 200)
  return portal
}

/** Says that the first chunk was transcribed as this. */
async function transcribeAs(conversationId: string, text: string): Promise<void> {
  await query(`update chunks set state = 'transcribed', duration_ms = 5000 where conversation_id = $1`, [
    conversationId,
  ])
  await query(
    `insert into segments (conversation_id, id, chunk_seq, position, start_ms, end_ms, text)
     values ($1, gen_random_uuid(), 0, 0, 0, 1000, $2)`,
    [conversationId, text],
  )
}

test('text of strangers is shown as text on every screen, and the token stays on its page', async () => {
  const portal = await hostilePortal()
  const parameters = new URLSearchParams({
    lang: SHORT,
    name: HOSTILE,
    email: `${SHORT}@example.org`,
    tag: SHORT,
  })
  const { page, requested, assertSafe } = await open(`/p/${portal.projectId}?${parameters.toString()}`)
  const shows = async (text: string) => {
    const shown = await page.locator('main').innerText()
    assert.ok(shown.replace(/\s+/g, ' ').includes(text.replace(/\s+/g, ' ')), `${text} in ${shown}`)
  }
  assert.equal(await page.locator('h1').textContent(), SHORT)
  await shows(HOSTILE)
  assert.match((await page.locator('main a').getAttribute('href')) ?? '', /^https:\/\/example\.org\//)
  assert.deepEqual(
    await page.evaluate(
      "Array.from(document.querySelectorAll('main a'), ({ target, rel }) => [target, rel])",
    ),
    [['_blank', 'noopener noreferrer']],
  )
  await assertSafe('welcome')

  await next(page)
  await shows(HOSTILE)
  await assertSafe('consent')
  await page.check('input[type=checkbox]')
  await next(page)
  assert.equal(await page.getByLabel('Your name').inputValue(), HOSTILE.slice(0, 200).trim())
  await shows('javascript:hacked(7)')
  await assertSafe('about you')
  await page.locator('input[type=email]').fill('ada@example.org')
  await next(page)
  await assertSafe('microphone')
  await next(page)
  await page.waitForSelector('.level')
  await assertSafe('microphone check')
  await next(page)
  await untilStep(page, 'recording')

  const { rows } = await until(
    () =>
      query('select c.id from conversations c join chunks on conversation_id = c.id where project_id = $1', [
        portal.projectId,
      ]),
    (result) => result.rows.length > 0,
  )
  await transcribeAs(rows[0].id, HOSTILE)
  await page.getByText('hacked("svg")').waitFor()
  // The server removes characters that reorder text.
  const shown = plainText(HOSTILE)
  const liveText = await page.locator('.live-text').textContent()
  assert.equal(liveText?.slice(-shown.length), shown)
  await assertSafe('recording')
  await next(page)
  await untilStep(page, 'review')
  await assertSafe('review')
  await next(page)
  await untilStep(page, 'thanks')
  await shows(HOSTILE)
  await assertSafe('thanks')

  const link = (await page.locator('.link a').getAttribute('href')) ?? ''
  const token = link.split('#')[1] ?? ''
  assert.ok(token.length >= 20)
  assert.ok(!requested.some((url) => url.includes(token)))
  assert.ok(!(await page.evaluate<string>(ALL_STORED)).includes(token))
  assert.deepEqual(await page.evaluate(ALL_STORED), JSON.stringify([[], [], '', '', null, page.url(), '']))
  assert.deepEqual(await phone.context.cookies(), [])
  const [conversation] = (await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations`)).body
    .data
  assert.equal(conversation.participant_name, HOSTILE.slice(0, 200).trim())
  await page.close()
})

test('a recording that is left behind is text, too', async () => {
  const portal = await hostilePortal()
  const first = await open(`/p/${portal.projectId}`)
  await first.page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await next(first.page)
  await first.page.check('input[type=checkbox]')
  await next(first.page)
  await next(first.page)
  await next(first.page)
  await first.page.waitForSelector('.level')
  await next(first.page)
  await untilStep(first.page, 'recording')
  await first.page.waitForTimeout(1_500)
  await first.page.close()
  const { page, assertSafe } = await open(`/p/${portal.projectId}`)
  await untilStep(page, 'resume')
  await assertSafe('resume')
  await portal.owner.send('PATCH', `/api/v2/projects/${portal.projectId}`, { is_open: false })
  await page.close()
})

test('fields that only a damaged database can contain do no harm', async () => {
  const portal = await newPortal(backend)
  for (const [column, value] of [
    ['privacy_url', 'javascript:hacked(1)'],
    ['privacy_url', 'data:text/html,<script>hacked(2)</script>'],
    ['privacy_url', 'http://example.org/'],
    ['privacy_url', 'https://user:password@example.org/'],
    ['privacy_url', '\u0001javascript:hacked(3)'],
    ['language', '"><script>hacked(4)</script>'],
  ] as const) {
    await query(
      `update projects set privacy_url = null, accent_color = null, language = 'auto' where id = $1`,
      [portal.projectId],
    )
    await query(`update projects set ${column} = $2 where id = $1`, [portal.projectId, value])
    const { page, assertSafe } = await open(`/p/${portal.projectId}`)
    await assertSafe(`${column} = ${value}`)
    assert.equal(await page.locator('main a').count(), 0, value)
    await page.close()
  }
  await assert.rejects(
    query(`update projects set accent_color = 'url(https://evil.example)' where id = $1`, [portal.projectId]),
    /projects_accent_color_check/,
  )
  await query(`update projects set language = 'auto', logo = $2 where id = $1`, [
    portal.projectId,
    { key: 'x', version: '"><img src=x onerror=hacked(5)>' },
  ])
  const { page, assertSafe } = await open(`/p/${portal.projectId}`)
  await assertSafe('logo')
  await page.close()
})

test('a short link opens the page with what it contains, and a wrong one says so', async () => {
  const portal = await newPortal(backend, { title: 'Our park' })
  const { short_url } = (await portal.owner.get(`/api/v2/projects/${portal.projectId}`)).body
  const { page, assertSafe } = await open(`${new URL(short_url).pathname}?name=Ada`)
  assert.equal(page.url(), `${backend.url}/p/${portal.projectId}?name=Ada`)
  assert.equal(await page.locator('h1').innerText(), 'Our park')
  await assertSafe('short link')
  await page.close()
  const wrong = await open('/s/22222222')
  assert.equal(await wrong.page.locator('h1').innerText(), 'This link does not work')
  await wrong.assertSafe('wrong short link')
  await wrong.page.close()
})

test('pages of wrong and hostile links are safe', async () => {
  const evil = encodeURIComponent(HOSTILE)
  for (const path of [
    `/p/${evil}`,
    `/p/${evil}/withdraw?conversation=${evil}#${evil}`,
    `/p/x/withdraw?conversation=..%2f..%2fadmin&lang=${evil}#token`,
    `/p/x?kiosk=${evil}&lang=javascript:hacked(1)`,
    `/s/${evil}`,
    `/withdraw/${evil}#${evil}`,
  ]) {
    const { page, assertSafe } = await open(path)
    await assertSafe(path)
    const press = page.locator('button.danger')
    if ((await press.count()) > 0) {
      await press.click()
      await page.locator('.notice').waitFor()
      await assertSafe(`${path}, pressed`)
    }
    await page.close()
  }
})

test('a name with bidi controls does not reorder the words around it, in any language', async () => {
  const portal = await newPortal(backend)
  for (const name of ['Stadt\u202e', 'Stadt\u2067\u202e', 'Stadt\u2069\u202e', 'Stadt\u2069\u202b\u05d0']) {
    const path = `/api/v2/organisations/${portal.organisationId}`
    assert.equal((await portal.owner.send('PATCH', path, { name })).status, 200)
    const { page, assertSafe } = await open(`/p/${portal.projectId}`)
    for (const language of Object.keys(LANGUAGES)) {
      await page.selectOption('header select', language)
      await page.waitForSelector(`html[lang=${language}]`)
      assert.deepEqual(await page.evaluate(FIND_REORDERED), [], `${language}: ${JSON.stringify(name)}`)
    }
    await assertSafe(name)
    await page.close()
  }
})
