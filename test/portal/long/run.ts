import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { shiftsOf } from '../support/align.ts'
import { startBareChromium } from '../support/devtools.ts'
import { type MemoryUse, measureMemory } from '../support/memory.ts'
import { startPortalService } from '../support/portal.ts'
import { RATE, speechFile } from '../support/speech.ts'

/**
 * `npm run test:portal:long [-- --minutes 10]`: a group conversation of an hour at real rate, in Chromium, against the whole service.
 * Fails if audio is missing or memory grows.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!(minutes >= 1)) throw new Error('--minutes must be at least 1')

/** In megabytes. A page that keeps all audio of an hour grows by 21. */
const MAX_GROWTH: MemoryUse = { heap: 3, page: 10, browser: 20 }
const SAMPLE_MS = 30_000
/** Caches fill and code is compiled at first. */
const WARM_UP = 0.2

const spoken = await speechFile([1, 2, 3, 4, 5].map((number) => `en-asterisk-${number}`))
const portal = await startPortalService()
const project = await portal.newProject()
const phone = await startBareChromium(spoken.path, project.page)
const { page } = phone
await page.startRecording()
const began = Date.now()
const samples: MemoryUse[] = []
console.log('minute  heap MB  page MB  browser MB')
while (Date.now() - began < minutes * 60_000) {
  await pause(Math.min(SAMPLE_MS, began + minutes * 60_000 - Date.now()))
  const use = await measureMemory(phone)
  samples.push(use)
  const cells = [(Date.now() - began) / 60_000, use.heap, use.page, use.browser]
  console.log(cells.map((value) => value.toFixed(1).padStart(7)).join('  '))
}
const given = await page.evaluate<number>('window.givenSeconds()')
await page.press()
await page.untilStep('review')
await page.press()
await page.untilStep('thanks')

await portal.signIn()
const [{ id }] = (await project.conversations()) as [{ id: string }]
// A busy machine transcribes for longer than it records.
const stored = await portal.audioOf(id, 2 * minutes * 60_000)
const { body } = await portal.admin.get(`/api/v2/conversations/${id}`)

const problems: string[] = []
const missing = given - stored.length / RATE
if (missing > 1 || body.missing_seconds > 0) problems.push(`${missing.toFixed(2)} s are missing`)
problems.push(...shiftsOf(stored, spoken.samples))
const settled = samples.slice(Math.floor(samples.length * WARM_UP))
for (const key of ['heap', 'page', 'browser'] as const) {
  const fifth = Math.max(1, Math.floor(settled.length / 5))
  const mean = (part: MemoryUse[]) => part.reduce((sum, use) => sum + use[key], 0) / part.length
  const growth = mean(settled.slice(-fifth)) - mean(settled.slice(0, fifth))
  console.log(`${key}: ${growth.toFixed(1)} MB more at the end than after the warm-up`)
  if (growth > MAX_GROWTH[key]) problems.push(`${key} grew by ${growth.toFixed(1)} MB`)
}
console.log(`${given.toFixed(1)} s given by the microphone, ${(stored.length / RATE).toFixed(1)} s stored`)
for (const problem of problems) console.log(`✖ ${problem}`)
await phone[Symbol.asyncDispose]()
await portal.stop()
console.log(problems.length === 0 ? '✔ nothing is missing, memory is flat' : '✖ failed')
process.exit(problems.length === 0 ? 0 : 1)
