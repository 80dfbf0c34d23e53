import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needs } from '../portal/support/browsers.ts'
import { axeViolations, dashboardService } from './support/dashboard.ts'

const dashboard = dashboardService()
const options = needs('chromium')

/** Lists the parts of the header that are cut off, overlap or leave the screen. */
const FIND_FAULTS = `(() => {
  const header = document.querySelector('header')
  const isVisible = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).clipPath === 'none'
  const nameOf = (element) => element.getAttribute('aria-label') ?? element.textContent
  const faults = []
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways')
  const controls = [...header.querySelectorAll('a, button')].filter(isVisible)
  for (const control of controls) {
    const { left, right, top, bottom } = control.getBoundingClientRect()
    const box = header.getBoundingClientRect()
    if (left < 0 || right > innerWidth || top < box.top || bottom > box.bottom)
      faults.push('outside: ' + nameOf(control))
    for (const other of controls) {
      const { left: start, right: end } = other.getBoundingClientRect()
      if (other !== control && left < end && start < right) faults.push('overlaps: ' + nameOf(control))
    }
    for (const part of [control, ...control.querySelectorAll('*')].filter(isVisible))
      if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline')
        faults.push('cut: ' + nameOf(control))
  }
  return faults
})()`

test('on a phone nothing in the header is cut, in all languages', options, async () => {
  const person = await dashboard.newPerson('Annemarie van der Bogaard-Wijnsteker')
  const page = await dashboard.open(person)
  for (const language of ['en', 'nl', 'de', 'fr', 'es']) {
    await page.evaluate(`localStorage.setItem('parley-language', '${language}')`)
    await page.reload()
    const account = page.getByRole('button', { name: person.name })
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 700 })
      await account.waitFor()
      await account.getByText('AB', { exact: true }).waitFor()
      assert.deepEqual(await page.evaluate(FIND_FAULTS), [], `${language}, ${width} px`)
    }
  }
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: person.name }).click()
  await page.getByRole('menu').getByText(person.name).waitFor()
  await page.getByRole('menu').getByText(person.email).waitFor()
})

test('a name that is longer than its button ends with an ellipsis', options, async () => {
  const person = await dashboard.newPerson('Annemarie van der Bogaard-Wijnsteker van Oranje-Nassau')
  const page = await dashboard.open(person)
  await page.getByRole('button', { name: person.name }).waitFor()
  const [shown, needed, overflow] = await page.evaluate<[number, number, string]>(`(() => {
    const name = [...document.querySelectorAll('header button span')].findLast(
      ({ textContent, children }) => textContent === '${person.name}' && children.length === 0,
    )
    return [name.clientWidth, name.scrollWidth, getComputedStyle(name).textOverflow]
  })()`)
  assert.ok(needed > shown, `${needed} of ${shown} px`)
  assert.equal(overflow, 'ellipsis')
})
