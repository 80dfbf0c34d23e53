import { test } from 'node:test'
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { startBackend } from '../support/backend.ts'
import { newPortal } from '../support/conversations.ts'
import { scriptedEngines } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { decodeFile } from '../../media/decode/decode-file.ts'
import { newPhone, startRecording, untilStep } from './journey.ts'

test('killed', { timeout: 300_000 }, async () => {
  const backend = await startBackend({ engines: scriptedEngines() })
  const portal = await newPortal(backend, {})
  await using phone = await newPhone('/tmp/mic.wav')
  for (let n = 0; n < 5; n++) {
    let page = await phone.open(`${backend.url}/p/${portal.projectId}`)
    await startRecording(page)
    await pause(2000 + Math.random() * 6000)
    const cdp = await phone.context.newCDPSession(page)
    const since = await page.evaluate(() => (window as any).recordingSince)
    const at = Date.now()
    const crashed = page.waitForEvent('crash')
    void cdp.send('Page.crash').catch(() => {})
    await crashed
    const killed = Date.now()
    await page.close()
    page = await phone.open(`${backend.url}/p/${portal.projectId}`)
    await untilStep(page, 'resume')
    await page.click('.primary')
    await untilStep(page, 'thanks')
    await page.close()
    const list = await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations`)
    const id = list.body.data[0].id
    const audio = await until(() => fetch(`${backend.url}/api/v2/conversations/${id}/audio`, { headers: { authorization: `Bearer ${portal.owner.token}` } }), (r) => r.status === 200)
    await writeFile('/tmp/a.webm', Buffer.from(await audio.arrayBuffer()))
    let samples = 0
    for await (const block of decodeFile('webm', '/tmp/a.webm', 0)) samples += block.length
    console.log({ elapsed: at - since, crashTook: killed - at, stored: samples / 16, missing: at - since - samples / 16 })
  }
  await backend.stop(); process.exit(0)
})
