import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/webhooks.ts'
import { findBrowser, needs } from './support/browsers.ts'
import { type FirefoxPhone, newFirefoxPhone } from './support/firefox.ts'
import { startUnreliableNetwork } from './support/network.ts'
import { portalService, type TestProject } from './support/portal.ts'
import type { ScriptedPage } from './support/scripted-page.ts'
import { RATE, speechFile } from './support/speech.ts'

const portal = portalService()
let phone: FirefoxPhone
before(async () => {
  if (findBrowser('firefox') !== null)
    phone = await newFirefoxPhone((await speechFile(['en-librivox-1'])).path)
})
after(() => phone?.[Symbol.asyncDispose]())

const recordedFor = (page: ScriptedPage, seconds: number) =>
  page.untilTrue(
    `Number(/Saved on this device: 0:(\\d+)/.exec(document.body.innerText)?.[1]) >= ${seconds}`,
    `${seconds} seconds`,
  )

const MAX_MISSING_SECONDS = 1

/** The length of the only conversation. */
async function secondsStored(project: TestProject): Promise<number> {
  const [conversation, ...others] = await project.conversations()
  assert.deepEqual(others, [])
  return (await portal.audioOf(conversation.id)).length / RATE
}

async function sendRecording(page: ScriptedPage): Promise<void> {
  await page.press()
  await page.untilStep('review')
  await page.press()
}

// One after the other: a page gets the microphone only while its window has the focus.
describe('the recording page in Firefox', needs('firefox'), () => {
  test('sends a recording that was made without a network when the network is there', async () => {
    const project = await portal.newProject()
    await using network = await startUnreliableNetwork(project.page)
    const page = await phone.open(network.url)
    network.set(false)
    await page.startRecording()
    await recordedFor(page, 4)
    await sendRecording(page)
    await page.untilText('0 of ')
    assert.deepEqual(await project.conversations(), [])
    network.set(true)
    await page.untilStep('thanks')
    const stored = await secondsStored(project)
    assert.ok(stored > 3, `${stored} s`)
  })

  test('records nothing without the agreement that the project asks for', async () => {
    const project = await portal.newProject({ consent_text: 'I agree to be recorded.' })
    const page = await phone.open(project.page)
    await page.press()
    await page.untilText('I agree to be recorded.')
    await page.press()
    await page.untilText('Tick the box')
    await page.untilStep('consent')
    assert.deepEqual(await project.conversations(), [])
  })

  test('says that a project is closed, and finishes a recording in progress', async () => {
    const project = await portal.newProject()
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
    const page = await phone.open(`${portal.url}/p/0190a7c8-0000-7000-8000-00000000cafe`)
    await page.untilText('This link does not work')
  })

  test('withdraws a recording by the link of its receipt', async () => {
    const project = await portal.newProject()
    const page = await phone.open(project.page)
    await page.startRecording()
    await recordedFor(page, 2)
    await sendRecording(page)
    await page.untilStep('thanks')
    const [conversation] = await project.conversations()
    const link = await page.evaluate<string>(`document.querySelector('.link a').href`)
    const receipt = await phone.open(link)
    await receipt.press('Withdraw now')
    await receipt.untilText('Everything you said or wrote is being erased')
    assert.equal((await portal.admin.get(`/api/v2/conversations/${conversation.id}`)).status, 404)
  })

  test('offers a recording again after a reload, and sends it', async () => {
    const project = await portal.newProject()
    const page = await phone.open(project.page)
    await page.startRecording()
    await recordedFor(page, 3)
    await page.evaluate('setTimeout(() => location.reload())')
    await page.untilStep('resume')
    await page.press()
    await page.untilStep('thanks')
    const stored = await secondsStored(project)
    assert.ok(stored >= 2.5, `${stored} s`)
  })
})

describe('all pages in Firefox', needs('firefox'), () => {
  test('explains a microphone that is denied, and records after it is allowed', async () => {
    const project = await portal.newProject()
    await phone.allowMicrophone(false)
    const page = await phone.open(project.page)
    await page.press()
    await page.press('Turn on the microphone')
    await page.untilText('The microphone is blocked')
    await phone.allowMicrophone(true)
    await page.press('Try again')
    await page.press('Start recording')
    await recordedFor(page, 1)
  })

  test('a killed page costs at most one second', async () => {
    const project = await portal.newProject()
    const page = await phone.open(project.page)
    await page.startRecording()
    await recordedFor(page, 4)
    const played = await page.evaluate<number>('window.microphone.playedSeconds()')
    const lag = await phone.killPages()
    const again = await phone.open(project.page)
    await again.untilStep('resume')
    await again.press()
    await again.untilStep('thanks')
    const stored = await secondsStored(project)
    assert.ok(played - stored < MAX_MISSING_SECONDS + lag, `${stored} s of ${played} s`)
  })
})

test('records on when the disk is full, and sends everything', needs('firefox'), async () => {
  const project = await portal.newProject()
  const { path } = await speechFile(['en-librivox-1'])
  await using small = await newFirefoxPhone(path, { storageKilobytes: 300 })
  await using network = await startUnreliableNetwork(project.page)
  const page = await small.open(network.url)
  await page.startRecording()
  await recordedFor(page, 1)
  network.set(false)
  await page.untilText('The storage of this device is full')
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 3_000))')
  const played = await page.evaluate<number>('window.microphone.playedSeconds()')
  network.set(true)
  await sendRecording(page)
  await page.untilStep('thanks')
  const stored = await secondsStored(project)
  assert.ok(played - stored < MAX_MISSING_SECONDS, `${stored} s of ${played} s`)
})
