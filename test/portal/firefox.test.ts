import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { until } from '../support/webhooks.ts'
import { needs } from './support/browsers.ts'
import { type FirefoxPage, newFirefoxPhone } from './support/firefox.ts'
import { startUnreliableNetwork } from './support/network.ts'
import { portalService } from './support/portal.ts'
import { type SpokenFile, speechFile } from './support/speech.ts'

const portal = portalService()
let spoken: SpokenFile
before(async () => {
  spoken = await speechFile(['en-librivox-1'])
})

const recordedFor = (page: FirefoxPage, seconds: number) =>
  page.untilText(`Saved on this device: 0:${String(seconds).padStart(2, '0')}`)

async function sendRecording(page: FirefoxPage): Promise<void> {
  await page.press()
  await page.untilStep('review')
  await page.press()
}

describe('the recording page in Firefox', { concurrency: 2, ...needs('firefox') }, () => {
  test('sends a recording that was made without a network when the network is there', async () => {
    const project = await portal.newProject()
    await using network = await startUnreliableNetwork(project.page)
    await using phone = await newFirefoxPhone(spoken.path)
    const page = await phone.open(network.url)
    network.set(false)
    await page.startRecording()
    await recordedFor(page, 4)
    await sendRecording(page)
    await page.untilText('0 of 1 parts received')
    assert.deepEqual(await project.conversations(), [])
    network.set(true)
    await page.untilStep('thanks')
    const [conversation] = await project.conversations()
    const { body } = await until(
      () => portal.admin.get(`/api/v2/conversations/${conversation.id}`),
      (reply) => reply.body.status === 'done',
      180_000,
    )
    assert.ok(body.duration_seconds > 3, `${body.duration_seconds} s`)
  })

  test('records nothing without the agreement that the project asks for', async () => {
    const project = await portal.newProject({ consent_text: 'I agree to be recorded.' })
    await using phone = await newFirefoxPhone(spoken.path)
    const page = await phone.open(project.page)
    await page.press()
    await page.untilText('I agree to be recorded.')
    await page.press()
    await page.untilText('Tick the box')
    await page.untilStep('consent')
    assert.deepEqual(await project.conversations(), [])
  })

  test('explains a microphone that is denied, and records after it is allowed', async () => {
    const project = await portal.newProject()
    await using phone = await newFirefoxPhone(spoken.path, false)
    const page = await phone.open(project.page)
    await page.press()
    await page.press('Turn on the microphone')
    await page.untilText('The microphone is blocked')
    await phone.allowMicrophone(true)
    await page.press('Try again')
    await page.press('Start recording')
    await recordedFor(page, 1)
  })

  test('says that a project is closed, and finishes a recording in progress', async () => {
    const project = await portal.newProject()
    await using phone = await newFirefoxPhone(spoken.path)
    const page = await phone.open(project.page)
    await page.startRecording()
    await until(
      () => project.conversations(),
      ({ length }) => length === 1,
    )
    await recordedFor(page, 2)
    await project.patch({ is_open: false })
    await (await phone.open(project.page)).untilStep('closed')
    await sendRecording(page)
    await page.untilStep('thanks')
  })

  test('says that a link is wrong', async () => {
    await using phone = await newFirefoxPhone(spoken.path)
    const page = await phone.open(`${portal.url}/p/0190a7c8-0000-7000-8000-00000000cafe`)
    await page.untilText('This link does not work')
  })

  test('withdraws a recording by the link of its receipt', async () => {
    const project = await portal.newProject()
    await using phone = await newFirefoxPhone(spoken.path)
    const page = await phone.open(project.page)
    await page.startRecording()
    await recordedFor(page, 2)
    await sendRecording(page)
    await page.untilStep('thanks')
    const [conversation] = await project.conversations()
    const link = await page.evaluate<string>(`document.querySelector('.link a').href`)
    const receipt = await phone.open(link)
    await receipt.press('Withdraw now')
    await receipt.untilText('Your recording has been withdrawn')
    assert.equal((await portal.admin.get(`/api/v2/conversations/${conversation.id}`)).status, 404)
  })

  test('offers a recording again after a reload, and sends it', async () => {
    const project = await portal.newProject()
    await using phone = await newFirefoxPhone(spoken.path)
    const page = await phone.open(project.page)
    await page.startRecording()
    await recordedFor(page, 3)
    await page.evaluate('setTimeout(() => location.reload())')
    await page.untilStep('resume')
    await page.press()
    await page.untilStep('thanks')
    const [conversation] = await project.conversations()
    const { body } = await until(
      () => portal.admin.get(`/api/v2/conversations/${conversation.id}`),
      (reply) => reply.body.status === 'done',
      180_000,
    )
    assert.ok(body.duration_seconds >= 2.5, `${body.duration_seconds} s`)
  })
})
