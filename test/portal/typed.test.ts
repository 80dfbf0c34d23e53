import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { LANGUAGES, type Language } from '../../web/portal/languages/languages.ts'
import { refuse, START } from './gallery/scenes.ts'
import { needs } from './support/browsers.ts'
import { newPhone, type Phone, untilStep } from './support/phone.ts'
import { scriptedPortal, type TestProject } from './support/portal.ts'
import { speechFile } from './support/speech.ts'

/** How each language speaks of recordings. Somebody who types makes none. */
const RECORDING: Record<Language, RegExp> = {
  en: /record/i,
  nl: /opna|opne[me]|opgenomen/i,
  de: /aufn[aei]hm|aufgenommen|aufnimmt/i,
  fr: /enregistr/i,
  es: /graba|grabe/i,
  it: /registra/i,
  pt: /grava|grave/i,
  pl: /nagr[ay]/i,
  uk: /запис/i,
  ar: /تسجيل|سج[ّ]?ل|سُج/,
}

/** An account is a written record of its owner. */
const UKRAINIAN_ACCOUNT = 'Обліковий запис'

const portal = scriptedPortal()
let microphone: string
before(async () => {
  microphone = (await speechFile(['en-librivox-1'])).path
})

const next = (page: Page) => page.click('.actions .primary')

/** Everything that a screen says: its text and title, names for screen readers, and the message of a link to send by e-mail. */
const wordsOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`[
    document.title,
    document.querySelector('main').innerText,
    ...Array.from(document.querySelectorAll('[aria-label]'), (one) => one.ariaLabel),
    ...Array.from(document.querySelectorAll('a[href^=mailto]'), (one) => decodeURIComponent(one.href.split('&')[0])),
    ...Array.from(document.querySelectorAll('dialog'), (one) => one.innerText),
  ].join('\\n')`)

/** Notes the sentences that speak of a recording. */
function newReader(language: Language) {
  const wrong: string[] = []
  const see = async (page: Page, screen: string): Promise<void> => {
    await page.waitForSelector('h1')
    const lines = (await wordsOf(page)).split('\n')
    wrong.push(
      ...lines
        .filter((line) => RECORDING[language].test(line.replace(UKRAINIAN_ACCOUNT, '')))
        .map((line) => `${screen}: ${line}`),
    )
  }
  return { wrong, see }
}

type See = ReturnType<typeof newReader>['see']

async function write(page: Page, see: See): Promise<void> {
  await see(page, 'welcome')
  await next(page)
  await next(page)
  await page.locator('.error:not(:empty)').waitFor()
  await see(page, 'consent')
  await page.check('input[type=checkbox]')
  await next(page)
  await untilStep(page, 'about')
  await see(page, 'about')
  await next(page)
  await untilStep(page, 'microphone')
  await see(page, 'microphone')
  await page.click('.actions .quiet')
  await untilStep(page, 'text')
  await next(page)
  await see(page, 'text')
  await page.fill('textarea', 'Park')
}

const REJECTIONS: [status: number, code: string][] = [
  [422, 'invalid_input'],
  [403, 'closed'],
  [409, 'limit_reached'],
  [422, 'consent_required'],
  [403, 'participant_token_rejected'],
  [404, 'not_found'],
]

/** Sends the text to a server that refuses it for one reason after the other, and then accepts it. */
async function sendAfterRejections(page: Page, see: See): Promise<void> {
  let reason = REJECTIONS[0] as [number, string]
  const reject = (route: Route) => refuse(...reason)(route)
  await page.route(START, reject)
  await next(page)
  for (const given of REJECTIONS) {
    reason = given
    const rejected = page.waitForResponse((response) => response.status() === given[0])
    await page.evaluate("dispatchEvent(new Event('online'))")
    await rejected
    await page.waitForSelector('.picture.warning')
    await page.waitForTimeout(100)
    await see(page, given[1])
  }
  await page.unroute(START, reject)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await untilStep(page, 'thanks')
  await see(page, 'thanks')
}

/** Opens the link of the receipt and withdraws, twice. */
async function withdraw(page: Page, language: Language, see: See): Promise<void> {
  const receipt = new URL(String(await page.locator('.link a').getAttribute('href')))
  const link = new URL(`${receipt.pathname}${receipt.search}${receipt.hash}`, page.url())
  link.searchParams.set('lang', language)
  await page.goto(link.href)
  for (const state of ['withdrawn', 'withdrawn twice']) {
    await page.waitForSelector('.danger')
    await see(page, 'withdraw')
    await page.click('.danger')
    await page.waitForSelector('.danger', { state: 'detached' })
    await see(page, state)
    await page.reload()
  }
}

async function writeInAll(phone: Phone, project: TestProject): Promise<string[]> {
  const all: string[] = []
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const { wrong, see } = newReader(language)
    const address = `${project.page}?lang=${language}`
    const page = await phone.open(address)
    await write(page, see)
    await sendAfterRejections(page, see)
    await withdraw(page, language, see)
    await page.goto(address)
    await write(page, see)
    // Longer than the page waits before it saves.
    await page.waitForTimeout(500)
    await page.reload()
    await untilStep(page, 'resume')
    await see(page, 'half-typed')
    await next(page)
    await phone.context.setOffline(true)
    await next(page)
    await page.waitForSelector('.notice')
    await see(page, 'sending without a network')
    await page.close()
    await phone.context.setOffline(false)
    const again = await phone.open(address)
    await untilStep(again, 'resume')
    await see(again, 'resume')
    await again.click('.actions .quiet')
    await again.waitForSelector('dialog[open]')
    await see(again, 'delete')
    await again.click('dialog .danger')
    await untilStep(again, 'welcome')
    await again.close()
    all.push(...wrong.map((line) => `${language}, ${line}`))
  }
  return all
}

const textsSent = (page: Page): string[] => {
  const texts: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/text')) texts.push(request.postDataJSON().content)
  })
  return texts
}

describe('a person who types', { concurrency: 2, ...needs('chromium') }, () => {
  test('reads of a text and never of a recording, from the welcome to the withdrawal, in every language', async () => {
    const project = await portal.newProject({
      title: 'Park',
      consent_text: 'OK',
      ask_name: true,
      ask_email: true,
      languages: ['en', 'de'],
    })
    await using phone = await newPhone(microphone)
    assert.deepEqual([...new Set(await writeInAll(phone, project))], [])
  })

  test('reads of no recording when the project is closed, in every language', async () => {
    const project = await portal.newProject({ title: 'Park', is_open: false })
    await using phone = await newPhone(microphone)
    const all: string[] = []
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const { wrong, see } = newReader(language)
      const page = await phone.open(`${project.page}?lang=${language}`)
      await see(page, 'closed')
      await page.close()
      all.push(...wrong)
    }
    assert.deepEqual(all, [])
  })

  test('sends one text although the button is pressed twice, and is told that the text has arrived', async () => {
    for (const query of ['', '?kiosk']) {
      const project = await portal.newProject()
      await using phone = await newPhone(microphone)
      const page = await phone.open(`${project.page}${query}`)
      const texts = textsSent(page)
      await next(page)
      await page.getByRole('button', { name: 'Type instead' }).click()
      await page.fill('textarea', 'More trees.')
      await page.evaluate("for (let i = 0; i < 2; i++) document.querySelector('.actions .primary').click()")
      await untilStep(page, 'thanks')
      await page.getByText('Your text has been received.').waitFor()
      assert.deepEqual(texts, ['More trees.'])
      assert.equal((await project.conversations()).length, 1)
    }
  })

  test('goes back from a text that waits to be sent to where it was offered, and saves it as a text', async () => {
    const project = await portal.newProject()
    await using phone = await newPhone(microphone)
    const page = await phone.open(project.page)
    await next(page)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await page.fill('textarea', 'More trees.')
    await phone.context.setOffline(true)
    await next(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the text as a file' }).click()
    assert.equal((await downloading).suggestedFilename(), 'text.txt')
    await page.close()
    await phone.context.setOffline(false)
    const again = await phone.open(project.page)
    const texts = textsSent(again)
    await again.getByRole('button', { name: 'Continue writing' }).click()
    await again.fill('textarea', 'More trees, please.')
    await again.getByRole('button', { name: 'Back' }).click()
    await untilStep(again, 'resume')
    await again.getByRole('button', { name: 'Continue writing' }).click()
    assert.equal(await again.locator('textarea').inputValue(), 'More trees, please.')
    await next(again)
    await untilStep(again, 'thanks')
    assert.deepEqual(texts, ['More trees, please.'])
  })
})
