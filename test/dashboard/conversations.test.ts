import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, type Portal, untilStatus } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { axeViolations, dashboardService, type Person, signIn } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines })
const options = needs('chromium')

const HOSTILE = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>'
const SPEECH = 'We want more trees in the park. The lamps are broken.'

/** A host with a project. */
async function newHost(project: object = {}): Promise<Portal & { host: Person }> {
  const host = await dashboard.newPerson('Mara')
  return { host, ...(await newPortalOf(dashboard.backend, host, project)) }
}

async function recorded(portal: Portal, start: object = {}, speech = SPEECH): Promise<string> {
  const { id, token, send } = await newConversation(portal, start)
  await send('PUT', '/chunks/0', wavOf(speech, 9))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  return id
}

const conversationPath = ({ projectId }: Portal, id: string) => `/projects/${projectId}/conversations/${id}`

/** Collects violations of the page's Content Security Policy. */
function watchPolicy(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) found.push(message.text())
  })
  return found
}

test('a newcomer signs in, gives three names and has a recording link', options, async () => {
  const page = await dashboard.open(await dashboard.newPerson('Nour'))
  await page.getByLabel('Organisation').fill('City of Ghent')
  await page.getByLabel('Workspace').fill('Participation')
  await page.getByLabel('Project').fill('The new park')
  await page.getByRole('button', { name: 'Create the recording link' }).click()
  await page.getByRole('heading', { level: 1, name: 'The new park' }).waitFor()
  const link = await page.getByLabel('Recording link').inputValue()
  const recording = await page.context().newPage()
  await recording.goto(link)
  await recording.getByText('City of Ghent').first().waitFor()
})

test('a wrong password and an unknown address are explained', options, async () => {
  const { host } = await newHost()
  const page = await dashboard.open(host, '/nonsense')
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
  const other = await newHost()
  await page.goto(`${dashboard.backend.url}/projects/${other.projectId}`)
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
  const stranger = await page.context().browser()?.newPage()
  await stranger?.goto(dashboard.backend.url)
  await stranger?.locator('input[name=email]').fill(host.email)
  await stranger?.locator('input[name=password]').fill('not this one')
  await stranger?.getByRole('button', { name: 'Sign in' }).click()
  await stranger?.getByText('The e-mail address or the password is wrong').waitFor()
})

test(
  'a link from a payload opens the conversation, which can be corrected and restored',
  options,
  async () => {
    const portal = await newHost()
    const id = await recorded(portal, { participant_name: 'Amina' })
    const page = await dashboard.open(portal.host, conversationPath(portal, id))
    const transcript = page.getByRole('region', { name: 'Transcript' })
    const sentence = transcript.getByRole('listitem').filter({ hasText: 'more trees' })
    await sentence.getByRole('button', { name: 'Correct' }).click()
    await page.getByLabel('Corrected text').fill('We want more benches in the park.')
    await page.getByRole('button', { name: 'Save' }).click()
    const corrected = transcript.getByRole('listitem').filter({ hasText: 'more benches' })
    await corrected.getByText('Corrected').waitFor()
    assert.match((await portal.owner.get(`/api/v2/conversations/${id}/transcript`)).text, /more benches/)
    await corrected.getByRole('button', { name: 'Correct' }).click()
    await page.getByRole('button', { name: 'Restore the original' }).click()
    await sentence.waitFor()
  },
)

test('the search finds words of transcripts, and its address can be shared', options, async () => {
  const portal = await newHost()
  await recorded(portal, { participant_name: 'Amina' })
  await recorded(portal, { participant_name: 'Bo' }, 'The buses are always late here.')
  const page = await dashboard.open(portal.host, `/projects/${portal.projectId}/conversations`)
  await page.getByText('2 conversations').waitFor()
  await page.getByRole('searchbox').fill('buses')
  await page.getByText('1 conversation').waitFor()
  assert.deepEqual(await page.locator('mark').allInnerTexts(), ['buses', 'buses'], 'title and passage')
  await page.reload()
  await page.getByText('Bo', { exact: true }).waitFor()
  assert.equal(await page.getByText('Amina').count(), 0)
  await page.getByRole('searchbox').fill('zebra')
  await page.getByText('No conversation matches').waitFor()
  // The menu leads to the whole list: the field must not name words that are no longer searched for.
  await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click()
  await page.waitForURL((url) => url.search === '')
  await until(
    () => page.getByRole('searchbox').inputValue(),
    (typed) => typed === '',
  )
})

test(
  'on a phone a list shows the word that was searched for, and its filters when asked',
  options,
  async () => {
    const portal = await newHost()
    const before =
      'We have talked for a long time about the trees, the benches and the lamps along the road, but'
    await recorded(portal, { participant_name: 'Amina' }, `${before} the buses are what we need.`)
    const page = await dashboard.open(portal.host, `/projects/${portal.projectId}/conversations?q=buses`)
    await page.setViewportSize({ width: 390, height: 844 })
    const mark = page.locator('p:has(mark)').last()
    await mark.waitFor()
    const isVisible = await page.evaluate<boolean>(`(() => {
    const marks = [...document.querySelectorAll('mark')]
    const isInside = (mark) => mark.getBoundingClientRect().right <= mark.parentElement.getBoundingClientRect().right
    return marks.length > 0 && isInside(marks.at(-1))
  })()`)
    assert.ok(isVisible, await mark.innerText())
    const status = page.getByRole('combobox', { name: 'Status' })
    assert.equal(await status.isVisible(), false)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await status.click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByText('No conversation matches').waitFor()
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await status.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await mark.waitFor()
  },
)

test('text without audio offers nothing to play, and a failure is said once', options, async () => {
  const portal = await newHost()
  const written = await newConversation(portal)
  await written.send('POST', '/text', { content: 'We all come by bicycle. The quay is dark.' })
  await written.send('POST', '/finish')
  await untilStatus(portal, written.id, written.token, 'done')
  const failed = await newConversation(portal)
  await failed.send('PUT', '/chunks/0', wavOf('!unreadable', 5))
  await failed.send('POST', '/finish')
  await untilStatus(portal, failed.id, failed.token, 'failed')
  const page = await dashboard.open(portal.host, conversationPath(portal, written.id))
  await page.getByText('We all come by bicycle. The quay is dark.').first().waitFor()
  assert.equal(await page.getByText('Space plays').count(), 0)
  assert.equal(await page.getByRole('button', { name: /Play from/ }).count(), 0)
  await page.goto(`${dashboard.backend.url}${conversationPath(portal, failed.id)}`)
  await page.getByRole('alert').waitFor()
  assert.deepEqual(await page.getByRole('alert').allInnerTexts(), ['The audio cannot be decoded.'])
  await page.getByText('There is no summary.').waitFor()
  await page.getByText(/Audio is missing here \(\d+ seconds?\)\. The audio cannot be decoded\./).waitFor()
  assert.equal(await page.getByText('Space plays').count(), 0)
  assert.equal(await page.getByRole('button', { name: /Play from/ }).count(), 0)
})

test('two people correct the same words: the second one sees the first', options, async () => {
  const portal = await newHost()
  const id = await recorded(portal)
  const page = await dashboard.open(portal.host, conversationPath(portal, id))
  await page.getByRole('button', { name: 'Correct' }).first().click()
  const path = `/api/v2/conversations/${id}/segments`
  const [segment] = (await portal.owner.get(path)).body.data
  await portal.owner.send('PATCH', `${path}/${segment.id}`, { text: 'We want more ponds.' })
  await page.getByLabel('Corrected text').fill('We want more benches.')
  await page.getByLabel('Corrected text').press('Control+Enter')
  await page.getByText('Someone else corrected this in the meantime').waitFor()
  await page.getByText('It now says: “We want more ponds.”').waitFor()
  assert.equal(await page.getByLabel('Corrected text').inputValue(), 'We want more benches.')
  await page.getByRole('button', { name: 'Continue with mine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'more benches' })
    .getByText('Corrected', { exact: true })
    .waitFor()
})

test(
  'two people edit the details of one conversation: other fields stay, the same one is shown',
  options,
  async () => {
    const portal = await newHost()
    const id = await recorded(portal, { participant_name: 'Amina' })
    const path = `/api/v2/conversations/${id}`
    const page = await dashboard.open(portal.host, conversationPath(portal, id))
    const dialog = page.getByRole('dialog', { name: 'Edit details' })
    const name = dialog.getByLabel('Participant')
    const save = dialog.getByRole('button', { name: 'Save' })
    const change = (body: object) => portal.owner.send('PATCH', path, body)

    await page.getByRole('button', { name: 'Edit details' }).click()
    await change({ title: 'Lamps in the park' })
    await name.fill('Bo')
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      save.click(),
    ])
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(
      sent.postDataJSON(),
      { participant_name: 'Bo' },
      'a generated title stays a generated one',
    )
    const { title, participant_name } = (await portal.owner.get(path)).body
    assert.deepEqual({ title, participant_name }, { title: 'Lamps in the park', participant_name: 'Bo' })

    await page.getByRole('button', { name: 'Edit details' }).click()
    await change({ participant_name: 'Carla', title: 'Benches in the park' })
    await name.fill('Dina')
    await save.click()
    const alert = dialog.getByRole('alert')
    await alert.getByText('Someone else changed this in the meantime').waitFor()
    await alert.getByText('Carla').waitFor()
    assert.equal(await name.inputValue(), 'Dina')
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    const saved = (await portal.owner.get(path)).body
    assert.deepEqual([saved.participant_name, saved.title], ['Dina', 'Benches in the park'])
  },
)

test('one conversation by keyboard: play, continue, correct, save', options, async () => {
  const portal = await newHost()
  const { id, token, send } = await newConversation(portal, { participant_name: 'Amina' })
  await send('PUT', '/chunks/0', wavOf('The first sentence.', 4))
  await send('PUT', '/chunks/2', wavOf('@{"speaker": "A"} The last sentence.', 4))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const page = await dashboard.open(portal.host, conversationPath(portal, id))
  const position = page.getByRole('slider', { name: 'Position in the recording' })
  await page.getByRole('button', { name: 'Play', exact: true }).isEnabled()
  await page.getByText('Audio is missing here (4 seconds)').waitFor()
  await until(
    () => page.evaluate<number>("document.querySelector('audio')?.readyState ?? 0"),
    (state) => state > 0,
  )
  await page.keyboard.press('k')
  await page.locator('[data-current=true]').filter({ hasText: 'first sentence' }).waitFor()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await position.press('End')
  await page.locator('[data-current=true]').filter({ hasText: 'last sentence' }).waitFor()
  await page.keyboard.press('e')
  assert.equal(await page.getByLabel('Corrected text').inputValue(), 'The last sentence.')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('The very last sentence.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('listitem').filter({ hasText: 'The very last sentence.' }).waitFor()

  await page.getByLabel(/Name of speaker/).fill('Anna')
  await page.getByRole('button', { name: 'Save the names' }).click()
  await page.getByRole('region', { name: 'Transcript' }).getByText('Anna').waitFor()
  await page.getByRole('button', { name: 'Edit details' }).click()
  await page.getByLabel('Title').fill('At the pond')
  await page.getByRole('combobox', { name: 'Tags' }).fill('water')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'At the pond' }).waitFor()
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
  assert.ok(body.tags.includes('water'))
})

test('an action for several conversations says for which of them it failed', options, async () => {
  const portal = await newHost()
  const ids: string[] = []
  for (const participant_name of ['Amina', 'Bo', 'Carla'])
    ids.push(await recorded(portal, { participant_name }))
  const page = await dashboard.open(portal.host, `/projects/${portal.projectId}/conversations`)
  await page.getByText('3 conversations').waitFor()
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
  await page.getByRole('button', { name: 'Add a tag' }).click()
  await page.getByRole('dialog').getByLabel('Tag', { exact: true }).first().fill('Read')
  await page.getByRole('button', { name: 'Add the tag' }).click()
  await page.getByText('The tag was added to 3 conversations.').waitFor()
  for (const id of ids)
    assert.ok((await portal.owner.get(`/api/v2/conversations/${id}`)).body.tags.includes('Read'))

  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
  await portal.owner.send('DELETE', `/api/v2/conversations/${ids[1]}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete 3 conversations for good' }).click()
  await page.getByText('2 conversations were deleted.').waitFor()
  await page.getByText('It did not work for 1 conversation').waitFor()
  await page.getByText('No conversations yet').waitFor()
})

test('an upload continues after the page was reloaded and the network was lost', options, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'))
  const file = join(folder, 'Interview_at_the_pond.wav')
  await writeFile(file, wavOf('The ducks are loud.', 2))
  await writeFile(join(folder, 'notes.mp3'), 'This is not audio.')
  const portal = await newHost()
  const page = await dashboard.open(portal.host, `/projects/${portal.projectId}/conversations`)
  page.on('dialog', (dialog) => void dialog.accept())
  const created: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/uploads')) created.push(request.url())
  })
  const uploads = /\/uploads\/[^/]+$/
  await page.getByText('No conversations yet').waitFor()
  await page.route(uploads, (route) => route.abort())
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file)
  await page.getByText('Waits for the connection, then continues').waitFor()
  await page.reload()
  await page.getByText('Interrupted. Choose the same file again to continue.').waitFor()
  await input.setInputFiles(file)
  await page.getByText('Waits for the connection, then continues').waitFor()
  await page.unroute(uploads)
  await page.getByText('1 file uploaded').waitFor()
  assert.equal(created.length, 1, 'it was not started a second time')
  await input.setInputFiles(join(folder, 'notes.mp3'))
  await page.getByText('The file is not audio in a supported format.').waitFor()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'Open' }).click()
  await page.getByRole('heading', { level: 1, name: 'Interview at the pond' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'The ducks are loud.' }).first().waitFor()
  await rm(folder, { recursive: true })
})

test('a session that ends asks to sign in again, and keeps what was typed', options, async () => {
  const portal = await newHost()
  const id = await recorded(portal)
  const page = await dashboard.open(portal.host, conversationPath(portal, id))
  await page.getByRole('button', { name: 'Correct' }).first().click()
  await page.getByLabel('Corrected text').fill('Typed before the session ended.')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Please sign in again').waitFor()
  await signIn(page, portal.host)
  assert.equal(await page.getByLabel('Corrected text').inputValue(), 'Typed before the session ended.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Typed before the session ended.' }).waitFor()
})

test('a report is generated, read, published and open to everyone', options, async () => {
  const portal = await newHost()
  for (const speech of [SPEECH, 'I want more trees, too.', 'No more trees, please.'])
    await recorded(portal, {}, speech)
  const page = await dashboard.open(portal.host, `/projects/${portal.projectId}/reports`)
  await page.getByRole('button', { name: 'New report' }).click()
  await page.getByLabel('Title').fill('Trees')
  await page.getByRole('button', { name: 'Generate the report' }).click()
  await page.getByText('Covers 3 conversations').waitFor()
  await page.getByRole('article').getByText('more trees').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  const link = await page.getByLabel('Public link').inputValue()
  assert.equal((await fetch(link)).status, 200)
})

test('an observer reads, and is offered nothing else', options, async () => {
  const portal = await newHost()
  const id = await recorded(portal)
  const observer = await dashboard.newPerson('Olu')
  await portal.owner.post(`/api/v2/workspaces/${portal.workspaceId}/members`, {
    user_id: observer.userId,
    role: 'observer',
  })
  const page = await dashboard.open(observer, conversationPath(portal, id))
  await page.getByRole('listitem').filter({ hasText: 'more trees' }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Correct' }).count(), 0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Markdown' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).count(), 0)
})

test(
  'what strangers wrote is shown as text, and every page passes the accessibility rules',
  options,
  async () => {
    const portal = await newHost({ name: HOSTILE.slice(0, 100), tags: [HOSTILE.slice(0, 90)] })
    const start = { participant_name: HOSTILE, tags: [HOSTILE.slice(0, 90)] }
    const id = await recorded(portal, start, HOSTILE)
    const page = await dashboard.open(portal.host)
    const forbidden = watchPolicy(page)
    const base = `/projects/${portal.projectId}`
    for (const path of [
      '/',
      base,
      `${base}/conversations`,
      `${base}/reports`,
      conversationPath(portal, id),
    ]) {
      await page.goto(`${dashboard.backend.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      assert.deepEqual(await axeViolations(page), [], path)
    }
    await page.getByText(HOSTILE).first().waitFor()
    assert.equal(await page.evaluate("'hacked' in window"), false)
    assert.deepEqual(forbidden, [])
  },
)
