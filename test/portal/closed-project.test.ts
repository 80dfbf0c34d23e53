import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { needs } from './support/browsers.ts'
import { newPhone, sendRecording, startRecording, stepOf, untilStep } from './support/phone.ts'
import { scriptedPortal } from './support/portal.ts'
import { type SpokenFile, speechFile } from './support/speech.ts'

const portal = scriptedPortal()
let spoken: SpokenFile
before(async () => {
  spoken = await speechFile(['en-librivox-1'])
})

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const shows = (page: Page, text: string) => page.getByText(text).waitFor()

describe('a project that closes', { concurrency: 2, ...needs('chromium') }, () => {
  test('accepts the rest of a recording that began before, also from a page that is opened later', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    const stored = page.waitForResponse(
      (response) => response.status() === 201 && response.url().endsWith('/chunks/0'),
    )
    await startRecording(page)
    await stored
    await phone.context.setOffline(true)
    await page.waitForTimeout(2_000)
    await sendRecording(page)
    await shows(page, 'To send it later, open the link again.')
    await page.close()
    await project.patch({ is_open: false })
    await phone.context.setOffline(false)
    const again = await phone.open(project.page)
    assert.equal(await stepOf(again), 'resume')
    await press(again, 'Send it as it is')
    await untilStep(again, 'thanks')
    await shows(again, 'Everything you said has been received.')
  })

  test('refuses a recording that it knows nothing of, and the page says when it can be sent', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await phone.context.setOffline(true)
    await startRecording(page)
    await page.waitForTimeout(1_500)
    await project.patch({ is_open: false })
    await phone.context.setOffline(false)
    await sendRecording(page)
    await page.getByRole('heading', { name: 'This project is closed' }).waitFor()
    await shows(page, 'If the organisation reopens the project, open this link again to send it.')
    assert.doesNotMatch(await page.locator('main').innerText(), /To send it later/)
    await page.close()

    // More words would not be accepted either.
    const closed = await phone.open(project.page)
    assert.equal(await stepOf(closed), 'resume')
    assert.equal(await closed.getByRole('button', { name: 'Continue recording' }).count(), 0)
    await closed.close()

    await project.patch({ is_open: true })
    const reopened = await phone.open(project.page)
    await press(reopened, 'Send it as it is')
    await untilStep(reopened, 'thanks')
    assert.equal((await project.conversations()).length, 1)
  })
})
