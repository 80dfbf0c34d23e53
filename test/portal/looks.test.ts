import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { type Gallery, openGallery } from './gallery/gallery.ts'
import type { GalleryLanguage } from './gallery/projects.ts'
import { SCENES } from './gallery/scenes.ts'
import { WALKS, type Walk } from './gallery/walk.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let gallery: Gallery
before(async () => {
  gallery = await openGallery()
})
after(() => gallery.close())

/** The findings of axe, as text. All rules, best practices included. */
async function objections(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Elements that reach beyond the sides of the screen, so that a reader has to scroll. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('#app *')]
      .filter((one) => { const { left, right } = one.getBoundingClientRect(); return left < -1 || right > clientWidth + 1 })
      .map((one) => one.outerHTML.slice(0, 120))
  })()`)

const TAPPED =
  'button, select, summary, a, textarea, input:not([type=checkbox], [hidden]), .tags label, .tick'
/** Controls that are lower than a fingertip (WCAG 2.2, 2.5.5). */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${TAPPED}')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
    .map((one) => one.outerHTML.slice(0, 120))`)

/** Buttons whose icon is not right beside the first line of their label. A line with digits in Arabic has several parts. */
const apart = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('button .icon + span')].flatMap((label) => {
    if (!label.checkVisibility()) return []
    const text = document.createRange()
    text.selectNodeContents(label)
    const icon = label.previousElementSibling.getBoundingClientRect()
    const firstLine = [...text.getClientRects()].filter(({ top, bottom }) => top < icon.bottom && bottom > icon.top)
    const gap = Math.min(...firstLine.map(({ left, right }) => Math.max(left - icon.right, icon.left - right)))
    const isBeside = gap > 0 && gap < icon.width
    return isBeside ? [] : [label.textContent + ': ' + gap + ' px']
  })`)

/** Visual problems of a screen. Does not change the screen. */
async function problemsOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await objections(page)).map((text) => `${colorScheme}: ${text}`))
  }
  found.push(...(await tooSmall(page)).map((text) => `too small: ${text}`))
  const before = page.viewportSize() ?? assert.fail('no size')
  await page.setViewportSize({ width: 320, height: 640 })
  found.push(...(await cutOff(page)).map((text) => `at 320 px: ${text}`))
  found.push(...(await apart(page)).map((text) => `icon apart at 320 px: ${text}`))
  await page.evaluate("document.documentElement.style.fontSize = '36px'")
  found.push(...(await cutOff(page)).map((text) => `with text of twice the size: ${text}`))
  await page.evaluate("document.documentElement.style.removeProperty('font-size')")
  await page.setViewportSize(before)
  return found
}

const checkLooks = async (page: Page): Promise<void> => assert.deepEqual(await problemsOf(page), [])

const sceneOf = (name: string) => {
  const scene = SCENES.find((one) => one.name === name)
  assert.ok(scene, name)
  return scene
}

async function withScene(
  name: string,
  language: GalleryLanguage,
  check: (page: Page) => Promise<void>,
  options: Parameters<Gallery['open']>[2] = {},
): Promise<void> {
  const { page, browserContext, rejections } = await gallery.open(sceneOf(name), language, options)
  try {
    await check(page)
  } catch (error) {
    for (const rejection of rejections) console.error(`${name}: ${rejection}`)
    throw error
  } finally {
    await browserContext.close()
  }
}

/** Checks each screen of a walk, and that it is the expected one. */
async function checkWalk({ scenes, walk }: Walk, language: GalleryLanguage): Promise<void> {
  const context = await gallery.newContext(language)
  const [seen, problems]: [string[], string[]] = [[], []]
  try {
    await walk(context, async (name) => {
      seen.push(name)
      problems.push(...(await problemsOf(context.page)).map((text) => `${name}: ${text}`))
    })
  } finally {
    await context.browserContext.close()
  }
  assert.deepEqual(problems, [])
  assert.deepEqual(seen.toSorted(), scenes.toSorted())
}

const walked = Object.values(WALKS).flatMap(({ scenes }) => scenes)

describe('axe objects to nothing, fingers reach everything, nothing is cut off', { concurrency: 3 }, () => {
  // German has the longest words, and Arabic is read from right to left.
  for (const language of ['de', 'ar'] as const) {
    test(`the screens on the whole way look right: ${language}`, () =>
      checkWalk(WALKS['the whole way'], language))
    test(`the screen kiosk looks right: ${language}`, () => withScene('kiosk', language, checkLooks))
  }
  for (const [name, walk] of Object.entries(WALKS).slice(1))
    test(`the screens ${name} look right: de`, () => checkWalk(walk, 'de'))
  for (const { name } of SCENES)
    if (!walked.includes(name) && name !== 'kiosk')
      test(`the screen ${name} looks right: de`, () => withScene(name, 'de', checkLooks))
})

test('walks name scenes that exist', () => {
  const names = new Set(SCENES.map(({ name }) => name))
  for (const name of walked) assert.ok(names.has(name), name)
})

test('the checks object to pale text, a control without a name, a small one and a wide one', () =>
  withScene('welcome', 'en', async (page) => {
    await page.evaluate(`{
      document.querySelector('.kicker').style.color = '#aaaaaa'
      document.querySelector('header select').removeAttribute('aria-label')
      document.querySelector('.primary').style.minHeight = '1rem'
      document.querySelector('.primary').style.padding = '0'
      document.querySelector('.steps').style.width = '500px'
    }`)
    const ids = (await objections(page)).map((text) => text.split(':')[0])
    assert.deepEqual([...new Set(ids)].toSorted(), ['color-contrast', 'select-name'])
    assert.equal((await tooSmall(page)).length, 1)
    assert.notEqual((await cutOff(page)).length, 0)
  }))

/** The accessibility tree of the screen, with times and numbers of parts replaced. */
const tree = async (page: Page): Promise<string> =>
  (await page.locator('main').ariaSnapshot())
    .replaceAll(/\d+:\d\d/g, 'TIME')
    .replaceAll(/\d+ of \d+/g, 'N of N')

const lines = (...all: string[]): string => all.join('\n')

describe('a screen reader', { concurrency: 4 }, () => {
  test('finds the controls of a recording by name', () =>
    withScene('recording-paused', 'en', async (page) =>
      assert.equal(
        await tree(page),
        lines(
          '- main:',
          '  - paragraph: What should our park become?',
          '  - heading "Recording" [level=1]',
          '  - timer "Recorded time": TIME',
          '  - img "Loudness"',
          '  - status: Paused',
          '  - paragraph: "Saved on this device: TIME"',
          '  - paragraph: "Sent: TIME"',
          '  - heading "What was said so far" [level=2]',
          '  - log "What was said so far": Your words will appear here a few seconds after you speak.',
          '  - group: What is it about?',
          '  - button "Type instead"',
          '  - paragraph: Keep this page open while you speak.',
          '  - button "Done"',
          '  - button "Resume"',
        ),
      ),
    ))

  test('is told that the microphone or the network is gone, but not every word and second', () =>
    withScene('recording-offline', 'en', async (page) => {
      const polite = page.locator('.trouble[role=status]')
      assert.match(await polite.innerText(), /^No connection\. Your recording is saved here/)
      assert.match(await page.locator('.phase[role=status]').innerText(), /^Recording\. Take your time/)
      // A timer is silent by its role; a log would be read into the recording.
      assert.equal(await page.locator('[role=log]').getAttribute('aria-live'), 'off')
      assert.equal(await page.locator('.time').getAttribute('role'), 'timer')
    }))

  test('follows the sending', () =>
    withScene('sending', 'en', async (page) =>
      assert.equal(
        await tree(page),
        lines(
          '- main:',
          '  - heading "Sending your recording" [level=1]',
          '  - progressbar "Sending your recording"',
          '  - status: N of N parts received',
          '  - paragraph: Please keep this page open until everything has been received.',
        ),
      ),
    ))

  test('is alerted to a blocked microphone, with a cause and a next step', () =>
    withScene('microphone-blocked', 'en', async (page) =>
      assert.equal(
        await tree(page),
        lines(
          '- main:',
          '  - heading "Check your microphone" [level=1]',
          '  - alert:',
          '    - strong: The microphone is blocked',
          '    - paragraph: This page is not allowed to use the microphone. Open the settings of this page (the symbol beside the address), allow the microphone, and try again.',
          '  - button "Try again"',
          '  - button "Type instead"',
        ),
      ),
    ))

  test('begins at the heading when sending is refused', () =>
    withScene('refused-limit', 'en', async (page) => {
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'No more can be stored')
      assert.equal(
        await tree(page),
        lines(
          '- main:',
          '  - heading "No more can be stored" [level=1]',
          '  - alert: This project has reached its limit. Please tell the organisation, and try again later.',
          '  - paragraph: Your recording is safe on this device, even if you close the page. To send it later, open the link again.',
          '  - button "Try again"',
          '  - button "Save the recording as a file"',
        ),
      )
    }))

  test('asks before it deletes, with the safe answer first', () =>
    withScene('review-delete', 'en', async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Delete this recording?' })
      assert.match(await dialog.ariaSnapshot(), /button "Delete it"/)
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Cancel')
    }))
})

test('an error at the end of the screen is not covered by the buttons', () =>
  withScene('consent-needed', 'de', async (page) => {
    const error = await page.locator('.error').boundingBox()
    const buttons = await page.locator('main > .actions').boundingBox()
    assert.ok(error && buttons && error.y + error.height <= buttons.y, `${error?.y}, ${buttons?.y}`)
  }))

/** Whether an element is on the screen as a whole, and not below the buttons. */
const isOnScreen = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const one = document.querySelector('${selector}')
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const corners = [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2]]
    return corners.every(([x, y]) => one.parentElement.contains(document.elementFromPoint(x, y)))
  })()`)

test('on a phone on its side, the button that leads on is seen without scrolling', async () => {
  for (const name of ['welcome', 'consent-needed', 'microphone-level', 'recording', 'review', 'thanks'])
    await withScene(name, 'de', async (page) => {
      for (const size of [
        { width: 667, height: 325 },
        { width: 844, height: 340 },
      ]) {
        await page.setViewportSize(size)
        await page.evaluate('scrollTo(0, 0)')
        assert.equal(await isOnScreen(page, 'main > .actions > .primary'), true, `${name} ${size.width}`)
        assert.deepEqual(await cutOff(page), [])
      }
    })
})

test('the code for a phone is seen without scrolling on a tablet on its side', async () => {
  for (const name of ['kiosk', 'kiosk-kept'])
    await withScene(name, 'en', async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      assert.equal(await isOnScreen(page, '.qr svg'), true, name)
    })
})

test('the code for a phone is seen without scrolling on an upright tablet, also after a part was refused', async () => {
  for (const name of ['kiosk', 'kiosk-without-part'])
    await withScene(name, 'en', async (page) => {
      await page.setViewportSize({ width: 768, height: 1024 })
      await page.locator('.qr svg').waitFor()
      assert.equal(await isOnScreen(page, '.qr svg'), true, name)
    })
})

test('in a high-contrast theme, no text shows through the buttons', () =>
  withScene('recording', 'en', async (page) => {
    await page.emulateMedia({ forcedColors: 'active' })
    const colour = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
    assert.equal(await colour('main > .actions'), 'rgb(255, 255, 255)')
    assert.notEqual(await colour('.actions .primary'), await colour('.actions .secondary'))
  }))

test('the buttons stay where they are when a recording is paused', async () => {
  for (const language of ['de', 'ar'] as const)
    await withScene('recording-paused', language, async (page) => {
      const places = () =>
        page.evaluate<string>(`JSON.stringify([...document.querySelectorAll('main > .actions > *')]
          .map((one) => one.getBoundingClientRect()))`)
      const paused = await places()
      await page.click('.actions .secondary')
      await page.waitForSelector('.meter[data-phase=recording]')
      assert.equal(await places(), paused)
    })
})

test('nothing moves for people who prefer that', () =>
  withScene('recording', 'en', async (page) => {
    const moving = () =>
      page.evaluate<string[]>('document.getAnimations().map(({ animationName }) => animationName)')
    assert.deepEqual(await moving(), ['breathe'])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    assert.deepEqual(await moving(), [])
  }))

test('arrows and the level point the other way in Arabic', () =>
  withScene('microphone-level', 'ar', async (page) => {
    assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl')
    const style = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)
    assert.equal(await style('.icon-back', 'transform'), 'matrix(-1, 0, 0, 1, 0, 0)')
    const [fill, bar] = await page.evaluate<number[]>(
      "['.level .fill', '.level'].map((one) => document.querySelector(one).getBoundingClientRect().right)",
    )
    assert.equal(fill, bar)
  }))
