import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../support/webhooks.ts'
import { newPhone, startRecording, untilStep } from './support/phone.ts'
import { startPortalService } from './support/portal.ts'
import { align, RATE, speechFile, storedAudio } from './support/speech.ts'

const SECONDS = 90

test('a recording survives a killed server and two lost connections', async () => {
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
  console.log({ elapsed, stored: stored.length / RATE })
  const found = align(stored, spoken.samples)
  console.table(found)
  console.log((await admin.get(`/api/v2/conversations/${id}/transcript?format=txt`)).text)
  assert.ok(Math.abs(stored.length / RATE - elapsed) < 1)
  const [first] = found
  for (const { at, offset } of found)
    assert.ok(
      Math.abs(offset - (first?.offset ?? 0)) <= 0.1,
      `${offset} s instead of ${first?.offset} s at ${at} s`,
    )
})
