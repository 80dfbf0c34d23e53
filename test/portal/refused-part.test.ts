import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal, type Portal } from '../support/conversations.ts'
import { scriptedEngines } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { CHUNKS, refuse, START, shorten } from './gallery/scenes.ts'
import { needs } from './support/browsers.ts'
import { newPhone, type Phone, sendRecording, startRecording, untilStep } from './support/phone.ts'
import { RATE, type SpokenFile, speechFile, storedAudio } from './support/speech.ts'
import { conversationsOf, pageOf } from './support/stored.ts'

let backend: TestBackend
let spoken: SpokenFile
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
  spoken = await speechFile(['en-librivox-1'])
})
after(() => backend.stop())

interface Scene {
  portal: Portal
  phone: Phone
  page: Page
  /** The server accepts everything from now on. */
  acceptAll(): Promise<void>
}

const seqOf = (url: string): number => Number(url.split('/').at(-1))

/** A phone on the page of a new project, with chunks of a second, of which the server refuses some. */
async function onPhone(
  isRefused: (seq: number) => boolean,
  work: (scene: Scene) => Promise<void>,
  query = '',
): Promise<void> {
  const portal = await newPortal(backend)
  await using phone = await newPhone(spoken.path)
  const { context } = phone
  const refuseSome = (route: Route) =>
    isRefused(seqOf(route.request().url())) ? refuse(415, 'unsupported_media')(route) : route.continue()
  await context.route(START, shorten)
  await context.route(CHUNKS, refuseSome)
  const page = await phone.open(`${pageOf(portal)}${query}`)
  await work({ portal, phone, page, acceptAll: () => context.unroute(CHUNKS, refuseSome) })
}

/** Records until the server has stored a chunk. */
async function recordUntil(page: Page, seq: number): Promise<void> {
  const stored = page.waitForResponse(
    (response) => response.status() === 201 && response.url().endsWith(`/chunks/${seq}`),
  )
  await startRecording(page)
  await stored
}

/** How many gaps the transcript of the only conversation has. The scripted engine cannot read real audio, which leaves others. */
async function gapsOf(portal: Portal): Promise<number> {
  const [conversation, ...others] = await conversationsOf(portal)
  assert.deepEqual(others, [])
  const path = `/api/v2/conversations/${conversation?.id}`
  await until(
    () => portal.owner.get(path),
    (reply) => ['done', 'failed'].includes(reply.body.status),
  )
  const { text } = await portal.owner.get(`${path}/transcript?format=txt`)
  return text.split('[audio missing: not_received]').length - 1
}

const rowsOf = async (page: Page): Promise<number> =>
  (await page.evaluate<{ rows: number[] }>('countStored()')).rows.reduce((sum, count) => sum + count, 0)

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save the recording as a file' })

describe('a part of a recording that the server refuses', { concurrency: 3, ...needs('chromium') }, () => {
  test('does not hold up the others; the participant finishes, saves the whole as a file, and sends it later', () =>
    onPhone(
      (seq) => seq === 1,
      async ({ portal, phone, page, acceptAll }) => {
        // Later chunks arrive while the recording continues, not only at its end.
        await recordUntil(page, 3)
        await page.getByText(/Not accepted by the server so far: .?[12] second/).waitFor()
        await sendRecording(page)
        await untilStep(page, 'thanks')
        await page.getByText(/except for a part \(.?[12] second/).waitFor()
        assert.equal(await gapsOf(portal), 1)

        const downloading = page.waitForEvent('download')
        await saveButton(page).click()
        const saved = await storedAudio(await (await downloading).createReadStream().then(bytesOf))
        assert.ok(saved.length / RATE > 4, `${saved.length / RATE} s`)

        await page.close()
        const again = await phone.open(pageOf(portal))
        await untilStep(again, 'resume')
        await again.getByRole('heading', { name: 'A part of your recording was not received' }).waitFor()
        await acceptAll()
        await again.getByRole('button', { name: 'Try again' }).click()
        await untilStep(again, 'thanks')
        await again.getByText('Everything you said has been received.').waitFor()
        assert.equal(await gapsOf(portal), 0)
        assert.equal(await rowsOf(again), 0)
      },
    ))

  test('can be sent again from the last screen, or deleted here without deleting what was received', () =>
    onPhone(
      (seq) => seq === 1,
      async ({ portal, phone, page }) => {
        await recordUntil(page, 2)
        await sendRecording(page)
        await untilStep(page, 'thanks')
        const refusedAgain = page.waitForResponse((response) => response.status() === 415)
        await page.getByRole('button', { name: 'Try again' }).click()
        await refusedAgain
        await page.getByText(/except for a part \(.?[12] second/).waitFor()

        await page.close()
        const again = await phone.open(pageOf(portal))
        await untilStep(again, 'resume')
        await again.getByRole('button', { name: 'Delete it' }).click()
        await again.getByText('What was received stays').waitFor()
        await again.locator('dialog .danger').click()
        await untilStep(again, 'welcome')
        assert.equal(await rowsOf(again), 0)
        assert.equal(await gapsOf(portal), 1)
      },
    ))

  test('is a gap for the host although it was the last one', () =>
    onPhone(
      (seq) => seq > 1,
      async ({ portal, page }) => {
        await recordUntil(page, 1)
        await page.waitForResponse((response) => response.status() === 415)
        await sendRecording(page)
        await untilStep(page, 'thanks')
        await page.getByText('except for a part').waitFor()
        assert.equal(await gapsOf(portal), 1)
      },
    ))

  test('stays on a shared device, which is ready for the next person and sends it later', () =>
    onPhone(
      (seq) => seq === 1,
      async ({ portal, page, acceptAll }) => {
        await page.clock.install()
        await page.reload()
        await recordUntil(page, 2)
        await sendRecording(page)
        await untilStep(page, 'thanks')
        await page.getByText('it stays on this device').waitFor()
        assert.equal(await saveButton(page).count(), 0)
        await page.getByRole('button', { name: 'Next person' }).click()
        await untilStep(page, 'welcome')
        assert.notEqual(await rowsOf(page), 0)
        await acceptAll()
        await page.clock.fastForward('06:00')
        await until(
          () => rowsOf(page),
          (rows) => rows === 0,
        )
        assert.equal(await gapsOf(portal), 0)
      },
      '?kiosk',
    ))

  test('is everything: the recording is not finished, and the participant can try again', () =>
    onPhone(
      () => true,
      async ({ portal, page, acceptAll }) => {
        await startRecording(page)
        await page.waitForResponse((response) => response.status() === 415)
        await sendRecording(page)
        await page.getByRole('heading', { name: 'The server did not accept this' }).waitFor()
        await saveButton(page).waitFor()
        await acceptAll()
        await page.getByRole('button', { name: 'Try again' }).click()
        await untilStep(page, 'thanks')
        await page.getByText('Everything you said has been received.').waitFor()
        assert.equal(await gapsOf(portal), 0)
      },
    ))
})

async function bytesOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
