import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../support/webhooks.ts'
import { compare } from './support/align.ts'
import { type BrowserName, findBrowser, needs } from './support/browsers.ts'
import { newFirefoxPhone } from './support/firefox.ts'
import { startUnreliableNetwork } from './support/network.ts'
import { newPhone, startRecording, untilStep } from './support/phone.ts'
import { type PortalService, startPortalService, type TestProject, TIMEOUT_MS } from './support/portal.ts'
import { wrongSentences } from './support/sentences.ts'
import { RATE, type SpokenFile, speechFile } from './support/speech.ts'

const SECONDS = 90

/** The actions of the test on a phone, in any browser. */
interface RecordingPhone extends AsyncDisposable {
  startRecording(): Promise<void>
  /** How many seconds the microphone has played since the recorder began. */
  playedSeconds(): Promise<number>
  /** Presses the main button, and waits for the next screen. */
  press(next: 'review' | 'thanks'): Promise<void>
  setNetwork(isUp: boolean): Promise<void>
}

type OpenPhone = (microphone: string, page: string) => Promise<RecordingPhone>

const openChromium: OpenPhone = async (microphone, url) => {
  const phone = await newPhone(microphone)
  const page = await phone.open(url)
  return {
    startRecording: () => startRecording(page),
    playedSeconds: () => page.evaluate<number>('window.givenSeconds()'),
    press: async (next) => {
      await page.click('.primary')
      await untilStep(page, next)
    },
    setNetwork: (isUp) => phone.context.setOffline(!isUp),
    [Symbol.asyncDispose]: () => phone[Symbol.asyncDispose](),
  }
}

const openFirefox: OpenPhone = async (microphone, url) => {
  const network = await startUnreliableNetwork(url)
  const phone = await newFirefoxPhone(microphone)
  const page = await phone.open(network.url)
  return {
    startRecording: () => page.startRecording(),
    playedSeconds: () => page.evaluate<number>('window.microphone.playedSeconds()'),
    press: async (next) => {
      await page.press()
      await page.untilStep(next)
    },
    setNetwork: async (isUp) => network.set(isUp),
    [Symbol.asyncDispose]: async () => {
      await phone[Symbol.asyncDispose]()
      await network[Symbol.asyncDispose]()
    },
  }
}

/** The outages while the phones record, in order of time. */
async function passOutages(phones: RecordingPhone[], portal: PortalService): Promise<void> {
  const began = Date.now()
  const untilSecond = (second: number) => pause(Math.max(0, began + second * 1_000 - Date.now()))
  const setNetwork = (isUp: boolean) => Promise.all(phones.map((phone) => phone.setNetwork(isUp)))
  await untilSecond(12)
  await setNetwork(false)
  await untilSecond(24)
  await setNetwork(true)
  await untilSecond(35)
  await portal.kill()
  await untilSecond(42)
  await portal.start()
  await untilSecond(65)
  await setNetwork(false)
  await untilSecond(72)
  await setNetwork(true)
  await untilSecond(SECONDS)
}

/** Ends and sends the recording. Returns how many seconds the microphone played. */
async function finish(phone: RecordingPhone): Promise<number> {
  // The microphone of a busy machine is slower than the clock.
  const played = await until(
    () => phone.playedSeconds(),
    (seconds) => seconds >= SECONDS,
    TIMEOUT_MS,
  )
  await phone.press('review')
  await phone.press('thanks')
  return played
}

/** The words of the transcript, without the title, which is a sentence, too. */
const linesOf = (transcript: string): string =>
  [...transcript.matchAll(/^\[[\d:]+\](.*)$/gm)].map(([, line]) => line).join(' ')

/** Less than a word is cut off. */
const WORD_SECONDS = 0.5
/** Words take equally long, about. */
const DOUBTFUL_WORDS = 3

/** The part of a text that is spoken after a time: all of it, unless the time is within the text. */
function saidAfter(seconds: number, { text, start, end }: SpokenFile['texts'][number]): string {
  if (seconds - start < WORD_SECONDS) return text
  const words = text.split(/\s+/)
  const passed = (words.length * (seconds - start)) / (end - start)
  return words.slice(passed + DOUBTFUL_WORDS).join(' ')
}

async function check(portal: PortalService, id: string, played: number, spoken: SpokenFile): Promise<void> {
  const conversation = await until(
    // On a busy machine, the server can close an idle connection in the moment in which it is used again.
    () => portal.admin.get(`/api/v2/conversations/${id}`).catch(() => null),
    (reply) => reply?.body.status === 'done',
    TIMEOUT_MS,
  )
  assert.equal(conversation?.body.missing_seconds, 0)
  // Read before the audio is compared: that takes so long that the server closes the idle connection.
  const { text } = await portal.admin.get(`/api/v2/conversations/${id}/transcript?format=txt`)
  const stored = await portal.audioOf(id)
  const { begin, differences } = compare(stored, spoken.samples)
  const lengths = `${stored.length / RATE} s of ${played} s`
  assert.deepEqual(differences, [], lengths)
  assert.ok(played - stored.length / RATE < 1, lengths)
  const complete = spoken.texts.filter(({ end }) => end < SECONDS)
  assert.equal(complete.length, 3)
  const said = complete.map((part) => saidAfter(begin, part))
  assert.deepEqual(wrongSentences(linesOf(text), said), [])
}

/** Both record in the same service, at the same time. */
const BROWSERS: Record<BrowserName, OpenPhone> = { chromium: openChromium, firefox: openFirefox }

test('a recording survives a killed server and two lost connections', async (t) => {
  const samples = ['librivox-1', 'asterisk-1', 'asterisk-3', 'asterisk-2', 'asterisk-5']
  const spoken = await speechFile(samples.map((name) => `en-${name}`))
  const portal = await startPortalService()
  const recorded = new Map<BrowserName, { id: string; played: number }>()
  {
    await using phones = new AsyncDisposableStack()
    const recording: { name: BrowserName; project: TestProject; phone: RecordingPhone }[] = []
    for (const [name, open] of Object.entries(BROWSERS) as [BrowserName, OpenPhone][]) {
      if (findBrowser(name) === null) continue
      const project = await portal.newProject()
      recording.push({ name, project, phone: phones.use(await open(spoken.path, project.page)) })
    }
    const all = recording.map(({ phone }) => phone)
    await Promise.all(all.map((phone) => phone.startRecording()))
    await passOutages(all, portal)
    const played = await Promise.all(all.map(finish))
    for (const [index, { name, project }] of recording.entries()) {
      const [conversation, ...others] = await project.conversations()
      assert.deepEqual(others, [])
      recorded.set(name, { id: conversation.id, played: played[index] ?? 0 })
    }
  }
  for (const name of Object.keys(BROWSERS) as BrowserName[])
    await t.test(`in ${name}`, needs(name), async () => {
      const { id, played } = recorded.get(name) ?? assert.fail('not recorded')
      await check(portal, id, played, spoken)
    })
})
