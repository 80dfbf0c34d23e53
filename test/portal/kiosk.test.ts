import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal, type Portal } from '../support/conversations.ts'
import { scriptedEngines } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { needs } from './support/browsers.ts'
import { newPhone, type Phone, sendRecording, startRecording, untilStep } from './support/phone.ts'
import { speechFile } from './support/speech.ts'
import { conversationsOf, pageOf } from './support/stored.ts'

let backend: TestBackend
let microphone: string
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
  microphone = (await speechFile(['en-librivox-1'])).path
})
after(() => backend.stop())

interface Scene {
  portal: Portal
  phone: Phone
  page: Page
}

/** A shared tablet whose clock the test moves on, with the name of a participant in its link. */
async function onTablet(work: (scene: Scene) => Promise<void>): Promise<void> {
  const portal = await newPortal(backend, { ask_name: true })
  await using phone = await newPhone(microphone)
  const page = await phone.context.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.clock.install()
  await page.goto(`${pageOf(portal)}?kiosk&name=Ada`)
  await page.waitForSelector('h1')
  await work({ portal, phone, page })
}

const shows = (page: Page, text: string | RegExp) => page.getByText(text).waitFor()
const textOf = (page: Page) => page.locator('main').innerText()
const rowsOf = async (page: Page): Promise<number> =>
  (await page.evaluate<{ rows: number[] }>('countStored()')).rows.reduce((sum, count) => sum + count, 0)

/** Longer than the tablet waits before it sends again what was refused. */
const RETRY = '05:30'
/** Longer than a screen stays that no one touches. */
const IDLE = '02:30'

/** Someone records until the server has a part if there is a network, loses it, and leaves. */
async function recordAndLeave({ page, phone }: Scene, isStarted = true): Promise<void> {
  const arrived = isStarted && page.waitForResponse((response) => response.url().includes('/chunks/'))
  if (!isStarted) await phone.context.setOffline(true)
  await startRecording(page)
  await arrived
  await phone.context.setOffline(true)
  await page.waitForTimeout(1_500)
  await sendRecording(page)
  await untilStep(page, 'kept')
  await page.getByRole('button', { name: 'Next person' }).click()
  await untilStep(page, 'welcome')
  await shows(page, 'Earlier recordings and texts that wait for a connection: 1')
}

async function reconnect({ phone, page }: Scene): Promise<void> {
  await phone.context.setOffline(false)
  await page.evaluate("dispatchEvent(new Event('online'))")
}

const REFUSED = 'the server did not accept, and that are kept on this device: 1'
const LOST = 'of which a part was deleted from this device before it was sent: 1'
const WAITING = 'wait for a connection'

/** Nothing of an earlier participant: no name, time, length or file. */
async function assertTellsNothing(page: Page): Promise<void> {
  const text = await textOf(page)
  assert.doesNotMatch(text, /Ada|\d:\d\d|second|minute|202\d|Save|Listen|Delete/)
}

async function send(portal: Portal, method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await portal.owner.send(method, `/api/v2/${path}`, body)
  assert.ok(status < 300, text)
}

const removeProject = (portal: Portal) => send(portal, 'DELETE', `projects/${portal.projectId}`)

describe('a shared tablet with a recording that waits', { concurrency: 3, ...needs('chromium') }, () => {
  for (const [name, isStarted] of [
    ['has a part of it', true],
    ['knows nothing of it', false],
  ] as const)
    test(`keeps it when the project is deleted, lets only the host have it, and the server ${name}`, () =>
      onTablet(async (scene) => {
        const { portal, phone, page } = scene
        await recordAndLeave(scene, isStarted)
        await removeProject(portal)
        await reconnect(scene)
        await shows(page, REFUSED)
        await shows(page, 'Please tell the person who looks after this device.')
        assert.ok(!(await textOf(page)).includes(WAITING))
        await assertTellsNothing(page)
        assert.notEqual(await rowsOf(page), 0)

        // No one else records for a project that does not exist.
        await page.clock.fastForward(IDLE)
        await untilStep(page, 'closed')
        await shows(page, REFUSED)

        await page.reload()
        await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
        await shows(page, REFUSED)
        await assertTellsNothing(page)
        await page.getByLabel('Language').selectOption('de')
        await shows(page, 'die der Server nicht angenommen hat und die auf diesem Gerät bleiben: 1')

        await page.close()
        const host = await phone.open(pageOf(portal))
        const downloading = host.waitForEvent('download')
        await host.getByRole('button', { name: 'Save the recording as a file' }).click()
        assert.equal((await downloading).suggestedFilename(), 'recording.webm')
        await host.getByRole('button', { name: 'Delete it' }).click()
        await shows(host, 'It is erased on this device. This cannot be undone.')
        await host.locator('dialog .danger').click()
        await until(
          () => rowsOf(host).catch(() => -1),
          (rows) => rows === 0,
        )
      }))

  test('says that the server did not accept it, and sends it when it does', () =>
    onTablet(async (scene) => {
      const { portal, page } = scene
      await recordAndLeave(scene, false)
      await send(portal, 'PATCH', `projects/${portal.projectId}`, { is_open: false })
      await reconnect(scene)
      await shows(page, REFUSED)
      await assertTellsNothing(page)
      await page.clock.fastForward(IDLE)
      await untilStep(page, 'closed')
      await shows(page, REFUSED)
      await send(portal, 'PATCH', `projects/${portal.projectId}`, { is_open: true })
      await page.clock.fastForward(IDLE)
      await untilStep(page, 'welcome')
      await page.clock.fastForward(RETRY)
      await page.getByText(REFUSED).waitFor({ state: 'detached' })
      await until(
        () => rowsOf(page),
        (rows) => rows === 0,
      )
      assert.equal((await conversationsOf(portal)).length, 1)
    }))

  test('erases it, and says nothing of it, when its participant withdraws it', () =>
    onTablet(async (scene) => {
      const { portal, page } = scene
      await recordAndLeave(scene)
      const [conversation] = await conversationsOf(portal)
      await send(portal, 'DELETE', `conversations/${conversation?.id}`)
      await reconnect(scene)
      await until(
        () => rowsOf(page),
        (rows) => rows === 0,
      )
      const text = await textOf(page)
      for (const line of [REFUSED, LOST, WAITING]) assert.ok(!text.includes(line), line)
    }))

  test('says that a part is gone when the data of the browser is deleted, also after it was sent', () =>
    onTablet(async (scene) => {
      const { portal, phone, page } = scene
      await recordAndLeave(scene)
      const devtools = await phone.context.newCDPSession(page)
      await devtools.send('Storage.clearDataForOrigin', { origin: backend.url, storageTypes: 'all' })
      await shows(page, LOST)
      await assertTellsNothing(page)
      await reconnect(scene)
      await page.getByText(WAITING).waitFor({ state: 'detached' })
      await shows(page, LOST)
      await assertTellsNothing(page)
      const [conversation] = await conversationsOf(portal)
      const path = `/api/v2/conversations/${conversation?.id}`
      await until(
        () => portal.owner.get(path),
        ({ body }) => body.status !== 'recording',
      )
    }))

  test('says so, too, when the tablet was restarted after its data was deleted', () =>
    onTablet(async (scene) => {
      const { portal, phone, page } = scene
      await recordAndLeave(scene, false)
      const devtools = await phone.context.newCDPSession(page)
      await devtools.send('Storage.clearDataForOrigin', { origin: backend.url, storageTypes: 'indexeddb' })
      await shows(page, LOST)
      await phone.context.setOffline(false)
      await page.reload()
      await untilStep(page, 'welcome')
      // The server knows what it has not received.
      await shows(page, LOST)
      await assertTellsNothing(page)
      const [conversation] = await conversationsOf(portal)
      assert.ok(conversation)
      await until(
        () => rowsOf(page),
        (rows) => rows === 0,
      )
    }))
})

test(
  'a phone says that the project was deleted, and does not call its recording withdrawn',
  needs('chromium'),
  async () => {
    for (const isStarted of [true, false]) {
      const portal = await newPortal(backend)
      await using phone = await newPhone(microphone)
      const page = await phone.open(pageOf(portal))
      const arrived = page.waitForResponse((response) => response.url().includes('/chunks/'))
      if (!isStarted) await phone.context.setOffline(true)
      await startRecording(page)
      if (isStarted) await arrived
      else arrived.catch(() => {})
      await page.waitForTimeout(1_500)
      await removeProject(portal)
      await phone.context.setOffline(false)
      await sendRecording(page)
      await page.getByRole('heading', { name: 'This project no longer exists' }).waitFor()
      assert.doesNotMatch(await textOf(page), /withdrawn|send it later/)
      await page.getByRole('button', { name: 'Save the recording as a file' }).waitFor()
    }
  },
)

test('all recordings that a deleted project left on a phone can be saved', needs('chromium'), async () => {
  const portal = await newPortal(backend)
  await using phone = await newPhone(microphone)
  const pages = [await phone.open(pageOf(portal)), await phone.open(pageOf(portal))]
  await phone.context.setOffline(true)
  for (const page of pages) {
    await page.bringToFront()
    await startRecording(page)
    await page.waitForTimeout(1_500)
  }
  for (const page of pages) await page.close({ runBeforeUnload: false })
  await removeProject(portal)
  await phone.context.setOffline(false)
  const page = await phone.open(pageOf(portal))
  await until(
    () => page.getByRole('button', { name: 'Save the recording as a file' }).count(),
    (count) => count === 2,
  )
})
