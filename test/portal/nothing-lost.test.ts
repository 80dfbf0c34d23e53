import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../support/webhooks.ts'
import { differences } from './support/align.ts'
import { needs } from './support/browsers.ts'
import { newPhone, startRecording, untilStep } from './support/phone.ts'
import { startPortalService } from './support/portal.ts'
import { wrongSentences } from './support/sentences.ts'
import { RATE, speechFile, storedAudio } from './support/speech.ts'

const SECONDS = 90

test('a recording survives a killed server and two lost connections', needs('chromium'), async () => {
  const spoken = await speechFile([
    'en-librivox-1',
    'en-asterisk-1',
    'en-asterisk-3',
    'en-asterisk-2',
    'en-asterisk-5',
  ])
  const portal = await startPortalService()
  const project = await portal.newProject()
  await using phone = await newPhone(spoken.path)
  const page = await phone.open(project.page)
  await startRecording(page)
  const began = Date.now()
  const untilSecond = (second: number) => pause(Math.max(0, began + second * 1_000 - Date.now()))

  await untilSecond(12)
  await phone.context.setOffline(true)
  await untilSecond(24)
  await phone.context.setOffline(false)
  await untilSecond(35)
  await portal.kill()
  await untilSecond(42)
  await portal.start()
  await untilSecond(65)
  await phone.context.setOffline(true)
  await untilSecond(72)
  await phone.context.setOffline(false)
  await untilSecond(SECONDS)
  await page.click('.primary')
  await untilStep(page, 'review')
  const elapsed = (Date.now() - began) / 1_000
  await page.click('.primary')
  await untilStep(page, 'thanks')

  const { admin } = portal
  const all = await project.conversations()
  assert.equal(all.length, 1)
  const [{ id }] = all
  const conversation = await until(
    () => admin.get(`/api/v2/conversations/${id}`),
    ({ body }) => body.status === 'done',
    120_000,
  )
  assert.equal(conversation.body.missing_seconds, 0)
  const response = await until(
    () =>
      fetch(`${portal.url}/api/v2/conversations/${id}/audio`, {
        headers: { authorization: `Bearer ${admin.token}` },
      }),
    ({ status }) => status === 200,
  )
  const stored = await storedAudio(Buffer.from(await response.arrayBuffer()))
  assert.ok(Math.abs(stored.length / RATE - elapsed) < 1, `${stored.length / RATE} s of ${elapsed} s`)
  assert.deepEqual(differences(stored, spoken.samples), [])
  const { text } = await admin.get(`/api/v2/conversations/${id}/transcript?format=txt`)
  const complete = spoken.texts.filter(({ end }) => end < SECONDS)
  assert.equal(complete.length, 3)
  assert.deepEqual(
    wrongSentences(
      text.replaceAll(/\[[\d:]+\]/g, ''),
      complete.map((part) => part.text),
    ),
    [],
  )
})
