import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { pngOf } from '../../server/tenancy/projects/logo/testing/images.ts'
import { needs } from '../portal/support/browsers.ts'
import { newTenantOf, type Tenant } from '../support/tenants.ts'
import { axeViolations, dashboardService, type Person, signIn } from './support/dashboard.ts'

const dashboard = dashboardService()
const options = needs('chromium')

interface Host extends Tenant {
  host: Person
}

async function newHost(project: object = {}): Promise<Host> {
  const host = await dashboard.newPerson('Mara')
  return { host, ...(await newTenantOf(host, { name: 'Park', ...project })) }
}

const settingsOf = ({ project }: Tenant): string => `/projects/${project}/settings`
const previewOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Preview"]')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const projectOf = async ({ host, project }: Host) => (await host.get(`/api/v2/projects/${project}`)).body

test(
  'a newcomer has a recording link after three names, and sees the first conversation',
  options,
  async () => {
    const nour = await dashboard.newPerson('Nour')
    const page = await dashboard.open(nour)
    await page.getByLabel('Organisation').fill('City of Ghent')
    await page.getByLabel('Workspace').fill('Participation')
    await page.getByLabel('Project').fill('The new park')
    await page.getByRole('button', { name: 'Create the recording link' }).click()
    await page.getByRole('heading', { level: 1, name: 'The new park' }).waitFor()
    await page.getByText('Nothing in the last 30 days').waitFor()
    const recording = await page.context().newPage()
    await recording.goto(await page.getByLabel('Recording link', { exact: true }).inputValue())
    await recording.getByRole('heading', { level: 1, name: 'The new park' }).waitFor()
    const pid = new URL(recording.url()).pathname.split('/')[2]
    const started = await fetch(`${dashboard.backend.url}/api/participant/projects/${pid}/conversations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ participant_name: 'Amina' }),
    })
    assert.equal(started.status, 201)
    await page.reload()
    await page.getByText('1 recording now').waitFor()
    await page.getByRole('img', { name: '1 conversation in the last 30 days' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('region', { name: 'Recent' }).getByRole('link', { name: 'Amina' }).waitFor()
  },
)

test('the preview shows every screen without a microphone, and starts no conversation', options, async () => {
  const host = await newHost({ tags: ['north', 'south'], finish_text: 'See you in spring.' })
  const page = await dashboard.open(host.host, settingsOf(host))
  const preview = previewOf(page)
  const screen = (name: string) =>
    page.getByRole('group', { name: 'Screen' }).getByRole('button', { name, exact: true })
  await screen('Recording').click()
  await preview.getByRole('heading', { level: 1, name: 'Recording' }).waitFor()
  await preview.getByText('2:34').first().waitFor()
  await preview.getByRole('button', { name: 'Pause' }).click()
  await preview.getByText('Paused').waitFor()
  await preview.getByRole('button', { name: 'Resume' }).click()
  await preview.getByRole('button', { name: 'Done' }).click()
  await preview.getByText('See you in spring.').waitFor()
  await page.locator('button[aria-pressed=true]', { hasText: 'Thanks' }).waitFor()
  await screen('Questions').click()
  await preview.getByText('north').waitFor()
  await preview.locator('button.primary').click()
  await preview.getByRole('heading', { level: 1, name: 'Recording' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  const { body } = await host.host.get(`/api/v2/projects/${host.project}/conversations`)
  assert.deepEqual(body.data, [])
})

test(
  'the preview shows settings while they are typed, and can neither record nor send',
  options,
  async () => {
    const host = await newHost()
    const page = await dashboard.open(host.host, settingsOf(host))
    const preview = previewOf(page)
    await preview.getByRole('heading', { level: 1, name: 'Park' }).waitFor()
    await page.getByLabel('Heading').fill('What should <b>change</b>?')
    await preview.getByRole('heading', { level: 1, name: 'What should <b>change</b>?' }).waitFor()
    await page.getByLabel('Consent text').fill('I agree to take part.')
    await preview.getByText('I agree to take part.').waitFor()
    await page.getByLabel('Ask for the name').check()
    await preview.getByLabel('Your name').waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#ffcc00')
    await page.getByText('Too pale').waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#b3261e')
    await page.getByText('Contrast with white 6.53 : 1').waitFor()
    await preview.locator('button.primary').waitFor()
    const frame = page.frames().find((one) => one.url().endsWith('/preview'))
    const fill = await frame?.evaluate(
      'getComputedStyle(document.querySelector("button.primary")).backgroundColor',
    )
    assert.equal(fill, 'rgb(179, 38, 30)')
    const attempts = await frame?.evaluate<string[]>(`(async () => {
    const failed = (work) => work.then(() => 'done', () => 'refused')
    return [
      await failed(fetch('/api/health')),
      await failed(navigator.mediaDevices ? navigator.mediaDevices.getUserMedia({ audio: true }) : Promise.reject()),
    ]
  })()`)
    assert.deepEqual(attempts, ['refused', 'refused'])
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: pngOf(40, 20, [11, 87, 208, 255]) }
    await page.locator('input[type=file]').setInputFiles(logo)
    await preview.locator('header img.logo').waitFor()
    assert.equal((await projectOf(host)).title, null, 'nothing is saved yet')

    await save(page).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { title, consent_text, ask_name, accent_color } = await projectOf(host)
    assert.deepEqual(
      [title, consent_text, ask_name, accent_color],
      ['What should <b>change</b>?', 'I agree to take part.', true, '#b3261e'],
    )
    await page.getByRole('list').getByText('I agree to take part.').waitFor()
    await page.getByText('In use').waitFor()
  },
)

test('another site cannot frame the recording page, nor can the dashboard', options, async () => {
  const host = await newHost()
  const page = await dashboard.open(host.host, `/projects/${host.project}`)
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.src = '/p/${host.project}'
    frame.onload = resolve
    document.body.append(frame)
  })`)
  const [framed] = page.frames().filter((one) => one !== page.mainFrame())
  assert.match(framed?.url() ?? '', /^chrome-error:/)
})

test(
  'two people change the same settings: what touches nothing is merged, the rest is a choice',
  options,
  async () => {
    const host = await newHost({ title: 'Before' })
    const colleague = await dashboard.newPerson('Jonas')
    await host.host.post(`/api/v2/workspaces/${host.workspace}/members`, {
      user_id: colleague.userId,
      role: 'member',
    })
    const path = `/api/v2/projects/${host.project}`
    const page = await dashboard.open(host.host, settingsOf(host))
    await page.getByLabel('Introduction').fill('Tell us how you use the park.')
    await colleague.send('PATCH', path, { finish_text: 'Thank you!' })
    await save(page).click()
    await page.getByText('Saved. In the meantime Jonas changed: Thanks. That is kept.').waitFor()
    const merged = await projectOf(host)
    assert.deepEqual(
      [merged.description, merged.finish_text],
      ['Tell us how you use the park.', 'Thank you!'],
    )

    const conflict = page.getByRole('alert').filter({ hasText: 'Someone else changed the same settings' })
    await page.getByLabel('Heading').fill('Not this one')
    await colleague.send('PATCH', path, { title: 'After' })
    await save(page).click()
    await conflict.getByText('Changed by Jonas').waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await page.getByLabel('Heading').inputValue(), 'After')

    await page.getByLabel('Heading').fill('Mine')
    await page.getByLabel('Introduction').fill('My introduction')
    await colleague.send('PATCH', path, { title: 'Theirs', description: 'Their introduction' })
    await save(page).click()
    await conflict.getByText('Changed by Jonas').first().waitFor()
    const choices = (name: string) => conflict.getByRole('radiogroup', { name })
    await choices('Heading').getByLabel('Mine').check()
    await choices('Introduction').getByLabel('Theirs').check()
    await conflict.getByRole('button', { name: 'Save this choice' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const chosen = await projectOf(host)
    assert.deepEqual([chosen.title, chosen.description], ['Mine', 'Their introduction'])
  },
)

test('a session that expires loses no settings, and a retention asks before it erases', options, async () => {
  const host = await newHost()
  await dashboard.backend.database.pool.query(
    `insert into conversations (id, project_id, status, source, finished_at)
     select gen_random_uuid(), $1, 'done', 'portal_audio', now() - n * interval '100 days' from generate_series(0, 2) n`,
    [host.project],
  )
  const page = await dashboard.open(host.host, settingsOf(host))
  await page.getByLabel('Erase conversations automatically').check()
  await page.getByText('2 conversations ended more than 90 days ago').waitFor()
  await page.getByLabel('Days after the end').fill('150')
  await page.getByText('1 conversation ended more than 150 days ago').waitFor()
  await page.context().clearCookies()
  await save(page).click()
  await page.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
  await signIn(page, host.host)
  await save(page).click()
  const question = page.getByRole('dialog', { name: 'Erase 1 conversation?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await projectOf(host)).retention_days, null)
  await save(page).click()
  await question.getByRole('button', { name: 'Save and erase' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await projectOf(host)).retention_days, 150)
})

test(
  'unsaved changes survive a reload, are asked about before leaving, and a deletion names what goes',
  options,
  async () => {
    const host = await newHost()
    const page = await dashboard.open(host.host, settingsOf(host))
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByLabel('Heading').fill('Not saved yet')
    await page.getByText('1 unsaved change').waitFor()
    await page.reload()
    await page.getByText('These changes are from your last visit').waitFor()
    assert.equal(await page.getByLabel('Heading').inputValue(), 'Not saved yet')
    await page.getByRole('link', { name: 'Conversations' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByText('Not saved yet: Heading.').waitFor()
    await question.getByRole('button', { name: 'Stay' }).click()
    assert.match(page.url(), /settings$/)
    await page.getByRole('link', { name: 'Conversations' }).click()
    await question.getByRole('button', { name: 'Discard and leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()

    await page.goto(`${dashboard.backend.url}${settingsOf(host)}`)
    assert.equal(await page.getByLabel('Heading').inputValue(), '')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const deletion = page.getByRole('dialog', { name: 'Delete this project' })
    await deletion.getByText('0 conversations').waitFor()
    await deletion.getByLabel('Type “Park” to confirm').fill('Park')
    await deletion.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    assert.equal((await host.host.get(`/api/v2/projects/${host.project}`)).status, 404)
  },
)

test(
  'the pages of a project pass the accessibility rules in both themes, and fit on a phone',
  options,
  async () => {
    const host = await newHost({ consent_text: 'I agree.', retention_days: 30, tags: ['north'] })
    await dashboard.backend.database.pool.query(
      `insert into conversations (id, project_id, status, source, finished_at)
     select gen_random_uuid(), $1, 'failed', 'portal_audio', now() from generate_series(1, 3)`,
      [host.project],
    )
    const page = await dashboard.open(host.host)
    const wrong: string[] = []
    for (const path of [
      '/',
      `/projects/${host.project}`,
      settingsOf(host),
      `/projects/${host.project}/poster`,
    ]) {
      await page.goto(`${dashboard.backend.url}${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
      if (path === '/') await page.getByRole('link', { name: '3 conversations failed' }).waitFor()
      wrong.push(...(await axeViolations(page)).map((found) => `${path} ${found}`))
      await page.setViewportSize({ width: 360, height: 740 })
      await page.waitForTimeout(300)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 360) wrong.push(`${path} is ${width} pixels wide`)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    assert.deepEqual(wrong, [])
    await page.emulateMedia({ media: 'print' })
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1)
  },
)
