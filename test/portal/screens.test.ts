import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clockTime } from '../../web/portal/languages/languages.ts'
import { until } from '../support/webhooks.ts'
import { newPhone, startRecording, stepOf, untilStep } from './support/phone.ts'
import { scriptedPortal } from './support/portal.ts'
import { startReleases, untilSaved } from './support/release.ts'
import { type SpokenFile, speechFile } from './support/speech.ts'

const portal = scriptedPortal()
let spoken: SpokenFile
before(async () => {
  spoken = await speechFile(['en-librivox-1'])
})

const next = (page: Page) => page.click('.actions .primary')
const seconds = (page: Page, count: number) => page.waitForTimeout(count * 1_000)

async function recordAndReview(page: Page, count = 1.5): Promise<void> {
  await startRecording(page)
  await seconds(page, count)
  await next(page)
  await untilStep(page, 'review')
}

describe('the steps', { concurrency: 3 }, () => {
  test('a name, tags and a language of the link are filled in, and survive a change of language', async () => {
    const project = await portal.newProject({ ask_name: true, ask_email: true, tags: ['Trees', 'Light'] })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(`${project.page}?name=Ada&tag=Light&tag=Other&lang=nl`)
    await next(page)
    assert.equal(await page.getByLabel('Uw naam').inputValue(), 'Ada')
    assert.equal(await page.getByLabel('Light').isChecked(), true)
    await page.getByLabel('Uw e-mailadres').fill('ada@example.org')
    await page.getByLabel('Trees').check()
    await page.getByLabel('Taal').selectOption('fr')
    assert.equal(await page.getByLabel('Votre adresse e-mail').inputValue(), 'ada@example.org')
    assert.equal(await page.getByLabel('Trees').isChecked(), true)
    await page.reload()
    await page.locator('html[lang=fr]').waitFor()
  })

  test('text and tags can be added to a recording, and both arrive', async () => {
    const project = await portal.newProject({ tags: ['Trees', 'Light'] })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(`${project.page}?tag=Light`)
    const stored: string[] = []
    page.on('response', (response) => {
      if (response.status() === 201)
        stored.push(...(/(chunks\/\d+|text)$/.exec(response.url())?.slice(1) ?? []))
    })
    await startRecording(page)
    await seconds(page, 1.5)
    await page.getByText('What is it about?').first().click()
    await page.getByLabel('Trees').check()
    await page.getByRole('button', { name: 'Type instead' }).click()
    await untilStep(page, 'text')
    await page.getByLabel('Your text').fill('And a fountain.')
    await next(page)
    await untilStep(page, 'review')
    await page.getByText('And a fountain.').waitFor()
    await next(page)
    await untilStep(page, 'thanks')
    const [conversation, ...others] = await project.conversations()
    assert.deepEqual(others, [])
    // The summary can add others.
    assert.deepEqual(
      [conversation.source, conversation.tags.slice(0, 2)],
      ['portal_audio', ['Light', 'Trees']],
    )
    assert.deepEqual([stored[0], stored.indexOf('text')], ['chunks/0', stored.length - 1])
  })

  test('the whole recording can be listened to, also after a pause that began a new file', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await recordAndReview(page, 2)
    await page.getByRole('button', { name: 'Add something' }).click()
    await untilStep(page, 'microphone')
    await recordAndReview(page, 2)
    const position = page.getByRole('slider', { name: 'Position' })
    const shown = async () => String(await position.getAttribute('aria-valuetext'))
    const [, minutes, seconds] = /^0:00 \/ (\d):(\d\d)$/.exec(await shown()) ?? assert.fail(await shown())
    const total = 60 * Number(minutes) + Number(seconds)
    assert.ok(total >= 4, `${total} s`)
    // From the first file into the second.
    await position.fill('15')
    await page.getByRole('button', { name: 'Listen' }).click()
    await page.locator(`[type=range][aria-valuetext^="${clockTime((total - 1) * 1_000)} "]`).waitFor()
    await page.getByRole('button', { name: 'Listen' }).waitFor()
  })

  test('a recording that waits for a new consent text is sent after the participant agrees', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await phone.context.setOffline(true)
    await recordAndReview(page)
    await project.patch({ consent_text: 'I agree to the new text.' })
    await phone.context.setOffline(false)
    await next(page)
    await page.getByRole('heading', { name: 'The consent text has changed' }).waitFor()
    await next(page)
    await page.getByText('I agree to the new text.').waitFor()
    await page.check('input[type=checkbox]')
    await next(page)
    await untilStep(page, 'thanks')
    assert.equal((await project.conversations()).length, 1)
  })

  test('a kiosk is ready for the next person after a countdown, and forgets one who walks away', async () => {
    const project = await portal.newProject({ ask_name: true })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(`${project.page}?kiosk`)
    await page.clock.install()
    await page.reload()
    await page.getByLabel('Language').selectOption('de')
    await recordAndReview(page)
    await next(page)
    await untilStep(page, 'thanks')
    await page.locator('.qr svg').waitFor()
    assert.equal(await page.locator('.link a, .more').count(), 0)
    assert.match(await page.locator('.countdown').innerText(), /In \d+\ss ist die Seite/)
    await project.patch({ title: 'Changed since' })
    await page.clock.runFor(31_000)
    await untilStep(page, 'welcome')
    await page.getByRole('heading', { name: 'Changed since' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en')

    await next(page)
    await page.getByLabel('Your name').fill('Grace')
    await page.clock.fastForward('03:00')
    await untilStep(page, 'welcome')
    await next(page)
    assert.equal(await page.getByLabel('Your name').inputValue(), '')
    await recordAndReview(page)
    await page.clock.fastForward('03:00')
    await untilStep(page, 'thanks')
    assert.equal((await project.conversations()).length, 2)
  })

  test('a kiosk without a network is ready for the next person, and sends everything later', async () => {
    const project = await portal.newProject({ ask_name: true })
    await using phone = await newPhone(spoken.path)
    // Playwright's offline mode does not always reach the service worker, nor leave it again.
    const { origin, pathname } = new URL(project.page)
    await using server = await startReleases(origin)
    const page = await phone.open(`${server.url}${pathname}?kiosk&name=Ada`)
    await untilSaved(page)
    await page.reload()
    server.setUp(false)
    await recordAndReview(page)
    await next(page)
    await untilStep(page, 'kept')
    await page.getByText('Everything is saved on this device.').waitFor()
    await page.getByRole('button', { name: 'Next person' }).click()
    await untilStep(page, 'welcome')
    await page.getByText('Earlier recordings and texts that wait for a connection: 1').waitFor()

    // The next person records, finds nothing of the first one, and a restart of the tablet loses neither.
    await recordAndReview(page)
    assert.doesNotMatch(await page.locator('main').innerText(), /Ada/)
    assert.equal(await page.locator('.listen [type=range]').count(), 1)
    await next(page)
    await untilStep(page, 'kept')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await untilStep(page, 'welcome')
    await page.getByText('Earlier recordings and texts that wait for a connection: 2').waitFor()
    assert.deepEqual(await project.conversations(), [])

    server.setUp(true)
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await page
      .getByText('Earlier recordings and texts that wait for a connection')
      .waitFor({ state: 'detached' })
    await until(
      () => page.evaluate<{ rows: number[] }>('countStored()'),
      ({ rows }) => rows.every((count) => count === 0),
    )
    assert.equal((await project.conversations()).length, 2)
    assert.equal(await stepOf(page), 'welcome')
  })

  test('a text that is half typed survives a reload, and is not sent before it is finished', async () => {
    const project = await portal.newProject({ ask_name: true })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(`${project.page}?name=Ada`)
    for (const _step of ['welcome', 'about']) await next(page)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await page.getByLabel('Your text').fill('More tr')
    await until(
      () => page.evaluate<{ rows: number[] }>('countStored()'),
      ({ rows }) => rows.some((count) => count > 0),
    )
    await page.reload()
    await untilStep(page, 'resume')
    await page.getByRole('button', { name: 'Continue writing' }).click()
    const text = page.getByLabel('Your text')
    assert.equal(await text.inputValue(), 'More tr')
    assert.deepEqual(await project.conversations(), [])
    await text.fill('More trees.')
    await next(page)
    await untilStep(page, 'thanks')
    const [conversation, ...others] = await project.conversations()
    assert.deepEqual([conversation.source, conversation.participant_name, others], ['portal_text', 'Ada', []])
    assert.deepEqual((await page.evaluate<{ rows: number[] }>('countStored()')).rows, [0])
  })

  test('a text that waits to be sent is called a text, and can be changed instead of recorded', async () => {
    const project = await portal.newProject({ ask_name: true })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await next(page)
    assert.equal(await page.getByLabel('Your name').getAttribute('dir'), 'auto')
    await next(page)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await page.getByLabel('Your text').fill('More trees.')
    await phone.context.setOffline(true)
    await next(page)
    await page.getByText('Your text is safe on this device').waitFor()
    await page.getByRole('button', { name: 'Save the text as a file' }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /recording/)
    await page.close()
    await phone.context.setOffline(false)
    const again = await phone.open(project.page)
    await again.getByRole('heading', { name: 'There is a text that was not sent' }).waitFor()
    assert.doesNotMatch(await again.locator('main').innerText(), /recording/i)
    await again.getByRole('button', { name: 'Continue writing' }).click()
    await again.getByLabel('Your text').fill('More trees, please.')
    const sent = again.waitForRequest('**/text')
    await next(again)
    await untilStep(again, 'thanks')
    assert.deepEqual((await sent).postDataJSON(), { content: 'More trees, please.' })
    assert.equal((await project.conversations()).length, 1)
  })

  test('a text that is half typed after a recording survives a reload with it', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    page.on('dialog', (dialog) => void dialog.accept())
    await startRecording(page)
    await seconds(page, 1.5)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await page.getByLabel('Your text').fill('And a fountain.')
    await seconds(page, 1)
    await page.reload()
    await untilStep(page, 'resume')
    const sent = page.waitForRequest('**/text')
    await next(page)
    await untilStep(page, 'thanks')
    assert.deepEqual((await sent).postDataJSON(), { content: 'And a fountain.' })
    assert.equal((await project.conversations()).length, 1)
  })

  test('one can type on a page without https', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.context.newPage()
    await page.addInitScript(
      "Object.defineProperty(window, 'isSecureContext', { value: false }); delete crypto.__proto__.randomUUID",
    )
    await page.goto(project.page)
    await next(page)
    await next(page)
    assert.match(await page.getByRole('alert').innerText(), /This page cannot use the microphone/)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await page.getByLabel('Your text').fill('More trees.')
    await next(page)
    await untilStep(page, 'thanks')
    assert.equal(await stepOf(page), 'thanks')
  })
})
