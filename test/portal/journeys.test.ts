import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../support/webhooks.ts'
import { needs } from './support/browsers.ts'
import { newPhone, sendRecording, startRecording, stepOf, untilStep } from './support/phone.ts'
import { portalService } from './support/portal.ts'
import { RATE, type SpokenFile, speechFile } from './support/speech.ts'

const portal = portalService()
let spoken: SpokenFile
before(async () => {
  spoken = await speechFile(['en-librivox-1'])
})

const seconds = (page: Page, count: number) => page.waitForTimeout(count * 1_000)
const next = (page: Page) => page.click('.actions .primary')

const withdrawLink = (page: Page) => page.locator('.link a').getAttribute('href')

// Most of the time they record, so several run at the same time.
describe('the recording page', { concurrency: 3, ...needs('chromium') }, () => {
  test('a recording that was made without a network is sent when the network is there', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await phone.context.setOffline(true)
    await startRecording(page)
    await seconds(page, 4)
    await sendRecording(page)
    await page.getByText('No connection').first().waitFor()
    assert.deepEqual(await project.conversations(), [])
    await phone.context.setOffline(false)
    await untilStep(page, 'thanks')
    const [conversation] = await project.conversations()
    assert.ok((await portal.audioOf(conversation.id)).length / RATE > 3)
  })

  test('the page opens without a network while audio is unsent, and sends it later', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await page.reload()
    await startRecording(page)
    await phone.context.setOffline(true)
    await seconds(page, 3)
    await page.close({ runBeforeUnload: false })
    const again = await phone.open(project.page)
    assert.equal(await stepOf(again), 'resume')
    await phone.context.setOffline(false)
    await next(again)
    await untilStep(again, 'thanks')
    assert.equal((await project.conversations()).length, 1)
  })

  test('nothing is recorded without the agreement that the project asks for', async () => {
    const project = await portal.newProject({ consent_text: 'I agree to be recorded.' })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await next(page)
    await page.getByText('I agree to be recorded.').waitFor()
    assert.equal(await page.locator('input[type=checkbox]').isChecked(), false)
    await next(page)
    assert.match(await page.locator('.error').innerText(), /Tick the box/)
    assert.equal(await stepOf(page), 'consent')
    assert.deepEqual(await project.conversations(), [])
  })

  test('a microphone that is denied is explained, and works after it is allowed', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path, { allowsMicrophone: false })
    const page = await phone.open(project.page)
    await next(page)
    await next(page)
    assert.match(await page.getByRole('alert').innerText(), /The microphone is blocked/)
    await phone.context.grantPermissions(['microphone'])
    await next(page)
    await page.waitForSelector('.level')
  })

  test('a closed project says so, and a recording in progress can still be finished', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await startRecording(page)
    await seconds(page, 3)
    await until(
      () => project.conversations(),
      ({ length }) => length === 1,
    )
    await project.patch({ is_open: false })
    const late = await phone.open(project.page)
    assert.equal(await stepOf(late), 'closed')
    await sendRecording(page)
    await untilStep(page, 'thanks')
  })

  test('a wrong link says so', async () => {
    await using phone = await newPhone(spoken.path)
    for (const id of ['0190a7c8-0000-7000-8000-00000000cafe', 'nonsense', '..%2f..']) {
      const page = await phone.open(`${portal.url}/p/${id}`)
      assert.match(await page.locator('h1').innerText(), /This link does not work/)
    }
  })

  test('the link of the receipt withdraws the recording', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    await startRecording(page)
    await seconds(page, 2)
    await sendRecording(page)
    await untilStep(page, 'thanks')
    const [conversation] = await project.conversations()
    const receipt = await phone.open(String(await withdrawLink(page)))
    assert.equal((await portal.admin.get(`/api/v2/conversations/${conversation.id}`)).status, 200)
    await receipt.getByRole('button', { name: 'Withdraw now' }).click()
    await receipt.getByText('Everything you said or wrote is being erased').waitFor()
    assert.equal((await portal.admin.get(`/api/v2/conversations/${conversation.id}`)).status, 404)
    const again = await phone.open(receipt.url())
    await again.getByRole('button', { name: 'Withdraw now' }).click()
    await again.getByText('This link is not valid').waitFor()
  })

  test('two phones and a kiosk record at the same time, and the kiosk keeps nothing', async () => {
    const project = await portal.newProject({ ask_name: true })
    await using one = await newPhone(spoken.path)
    await using two = await newPhone(spoken.path)
    await using kiosk = await newPhone(spoken.path)
    const pages = await Promise.all([
      one.open(`${project.page}?name=One`),
      two.open(`${project.page}?name=Two`),
      kiosk.open(`${project.page}?kiosk`),
    ])
    await Promise.all(pages.map(startRecording))
    await seconds(pages[0], 3)
    await Promise.all(pages.map(sendRecording))
    await Promise.all(pages.map((page) => untilStep(page, 'thanks')))
    const names = (await project.conversations()).map(({ participant_name }) => participant_name)
    assert.deepEqual(names.toSorted(), ['One', 'Two', null])
    await next(pages[2])
    await untilStep(pages[2], 'welcome')
    const left = await pages[2].evaluate('countStored()')
    assert.deepEqual(left, { rows: [0], local: 0, session: 0 })
  })

  test('text can be typed instead of speaking', async () => {
    const project = await portal.newProject({ tags: ['Trees', 'Light'] })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(`${project.page}?tag=Trees&tag=Other`)
    for (const _step of ['welcome', 'about']) await next(page)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await next(page)
    assert.match(await page.locator('.error').first().innerText(), /Please fill this in/)
    await page.getByLabel('Your text').fill('More trees, please.')
    await next(page)
    await untilStep(page, 'thanks')
    const [conversation] = await project.conversations()
    assert.deepEqual([conversation.source, conversation.tags], ['portal_text', ['Trees']])
  })

  test('everything can be done with the keyboard', async () => {
    const project = await portal.newProject({ consent_text: 'I agree.', ask_name: true })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(project.page)
    /** Tabs to the control with this name and presses the key. */
    const press = async (name: string, key: 'Enter' | 'Space') => {
      for (let tabs = 0; tabs < 15; tabs++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate<string>(
          "document.querySelector(':focus')?.labels?.[0]?.textContent ?? document.querySelector(':focus')?.textContent ?? ''",
        )
        if (focused.includes(name)) return page.keyboard.press(key)
      }
      assert.fail(`the Tab key does not reach ${name}`)
    }
    await press('Start', 'Enter')
    await press('Yes, I agree', 'Space')
    await press('Continue', 'Enter')
    await press('Continue', 'Enter')
    await press('Turn on the microphone', 'Enter')
    await page.waitForSelector('.level')
    await press('Start recording', 'Enter')
    await untilStep(page, 'recording')
    await seconds(page, 2)
    await press('Pause', 'Space')
    await page.getByText('Paused').waitFor()
    await press('Done', 'Enter')
    await untilStep(page, 'review')
    await press('Send', 'Enter')
    await untilStep(page, 'thanks')
  })

  test('text of a stranger is shown as text', async () => {
    const hostile = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">\u202egnirts'
    const project = await portal.newProject({
      title: hostile.slice(0, 100),
      description: hostile,
      consent_text: hostile,
      finish_text: hostile,
      tags: [hostile.slice(0, 90)],
      ask_name: true,
    })
    await using phone = await newPhone(spoken.path)
    const page = await phone.open(`${project.page}?name=${encodeURIComponent(hostile)}&lang=%3Cscript%3E`)
    await startRecording(page)
    await seconds(page, 2)
    await sendRecording(page)
    await untilStep(page, 'thanks')
    assert.match(await page.locator('main').innerText(), /<script>window\.hacked/)
    assert.equal(await page.evaluate("'hacked' in window"), false)
    assert.equal(await page.locator('main img, main script').count(), 0)
  })
})
