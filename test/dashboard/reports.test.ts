import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, type Portal, untilStatus } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { axeViolations, dashboardService, type Person } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines })
const options = needs('chromium')

const SPEECHES = [
  ['Amina', 'We want more trees in the park.\nThe lamps in the park are broken.'],
  ['Bo', 'More trees in the park would be good.\nThe park is dark at night.'],
  ['Chris', 'No more trees in the park, please.\nThe buses are always late.'],
] as const

interface Host extends Portal {
  host: Person
  reports: string
}

/** A host with a project of three conversations. */
async function newHost(): Promise<Host> {
  const { backend } = dashboard
  const host = await dashboard.newPerson('Mara')
  const portal = await newPortalOf(backend, host)
  for (const [participant_name, speech] of SPEECHES) {
    const { id, token, send } = await newConversation(portal, { participant_name })
    await send('PUT', '/chunks/0', wavOf(speech, 9))
    await send('POST', '/finish')
    await untilStatus(portal, id, token, 'done')
  }
  return { ...portal, host, reports: `/projects/${portal.projectId}/reports` }
}

async function generate(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'New report' }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Generate the report' }).click()
  await page.getByText('Covers 3 conversations').waitFor()
}

test(
  'a report is edited, published, edited again and restored; everyone reads the published version',
  options,
  async () => {
    const { host, reports } = await newHost()
    const page = await dashboard.open(host, reports)
    await generate(page, 'Trees')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Trees and lamps')
    await page.getByLabel('Introduction').fill('We listened to three people.')
    await page.getByRole('button', { name: 'Add a paragraph' }).first().click()
    await page.keyboard.press('Tab')
    await page
      .getByLabel(/^Paragraph/)
      .last()
      .fill('The city will repair the lamps.')
    assert.deepEqual(await axeViolations(page), [])
    await page.reload()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Trees and lamps', 'kept in the tab')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    const article = page.getByRole('article')
    await article.getByText('The city will repair the lamps.').waitFor()
    await article.getByText('We listened to three people.').waitFor()

    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const link = await page.getByLabel('Public link').inputValue()
    const everyone = async () => (await fetch(link)).text()
    assert.match(await everyone(), /Trees and lamps/)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('A third try')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByText('Everyone reads version 2. Version 3 is not published yet.').waitFor()
    assert.match(await everyone(), /Trees and lamps/)
    await page.getByRole('button', { name: 'Publish version 3' }).click()
    await page.getByText('Everyone reads version 2').waitFor({ state: 'detached' })
    assert.match(await everyone(), /A third try/)

    await page.getByRole('link', { name: 'Version 1' }).click()
    await page.getByText('You are reading version 1').waitFor()
    await article.getByText('The city will repair the lamps.').waitFor({ state: 'detached' })
    assert.deepEqual(await axeViolations(page), [])
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByText('Copy of version 1').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Trees', exact: true }).waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('navigation').isVisible(), false)
    assert.equal(await page.getByText('Copy of version 1').isVisible(), false)
    assert.equal(await article.isVisible(), true)
  },
)

test('the chart of a report has every section, also the statements without a theme', options, async () => {
  const { host, reports } = await newHost()
  const page = await dashboard.open(host, reports)
  await generate(page, 'Trees')
  const article = page.getByRole('article')
  const headings = await article.getByRole('heading', { level: 2 }).allInnerTexts()
  assert.equal(headings.at(-1), 'Also said')
  const figure = article.getByRole('figure').filter({ hasText: 'Themes, by how many people' })
  assert.deepEqual(await figure.getByRole('term').allInnerTexts(), headings)
  for (const count of await figure.getByRole('definition').allInnerTexts())
    assert.match(count, /^[123] of 3$/)
})

test('two people edit one report: the second is told, and nothing of either is lost', options, async () => {
  const { host, workspaceId, projectId, reports } = await newHost()
  const jon = await dashboard.newPerson('Jon')
  await host.post(`/api/v2/workspaces/${workspaceId}/members`, { user_id: jon.userId, role: 'member' })
  const mine = await dashboard.open(host, reports)
  await generate(mine, 'Trees')
  const path = new URL(mine.url()).pathname
  const his = await dashboard.open(jon, `${path}?edit=true`)
  await mine.getByRole('button', { name: 'Edit' }).click()
  await mine.getByLabel('Title').fill('Mine')
  await his.getByLabel('Title').fill('His')
  await mine.getByRole('button', { name: 'Save as a new version' }).click()
  await mine.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
  await his.getByRole('button', { name: 'Save as a new version' }).click()
  await his.getByText('Someone else has saved a newer version').waitFor()
  assert.equal(await his.getByLabel('Title').inputValue(), 'His')
  await his.getByRole('button', { name: 'Save mine as the newest version' }).click()
  await his.getByRole('heading', { level: 1, name: 'His' }).waitFor()
  const { body } = await host.get(`/api/v2/projects/${projectId}/reports`)
  const versions = await host.get(`/api/v2/reports/${body.data[0].id}/versions`)
  const titles = versions.body.data.map((one: { title: string }) => one.title)
  assert.deepEqual(titles, ['His', 'Trees', 'Mine', 'Trees'])
})

test('a report on chosen conversations, and the palette that finds it again', options, async () => {
  const { host, reports } = await newHost()
  const page = await dashboard.open(host, reports)
  await page.getByRole('button', { name: 'New report' }).click()
  await page.getByLabel('Title').fill('Late buses')
  await page.getByLabel('Only those that I choose').check()
  const generateButton = page.getByRole('button', { name: 'Generate the report' })
  assert.equal(await generateButton.isDisabled(), true)
  await page.getByRole('searchbox').fill('buses')
  await page.getByRole('checkbox').nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Tick all that are shown' }).click()
  await page.getByText('1 conversation chosen').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await generateButton.click()
  await page.getByText('Covers 1 conversation', { exact: true }).waitFor()

  // Only the keyboard from here.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('profile')
  await page.getByRole('option', { name: /Profile/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await page.keyboard.press('Control+k')
  // The beginning of a word, as while it is typed.
  await page.keyboard.type('lam')
  await page
    .getByRole('option', { name: /Conversation$/ })
    .first()
    .waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.keyboard.press('Control+a')
  await page.keyboard.type('late bus')
  await page.getByRole('option', { name: /Late buses/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Late buses' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
})
