import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LANGUAGES } from '../../web/portal/languages/languages.ts'
import { readPortal } from './built-files.ts'

const LIMIT = 45_000

const built = readPortal()
const gzipped = (name: string): number => built.assets.get(name)?.gzip?.length ?? Number.POSITIVE_INFINITY
const fileOf = (language: string): string => (built.catalogueOf(language) ?? '').replace('assets/', '')

test('the page has at most 45 KB gzipped in every language, with styles and icons', () => {
  const catalogues = new Map(Object.keys(LANGUAGES).map((language) => [language, fileOf(language)]))
  const shared = [...built.assets.keys()].filter((name) => ![...catalogues.values()].includes(name))
  assert.ok(shared.some((name) => name.endsWith('.css')) && shared.some((name) => name.endsWith('.js')))
  const bytes =
    gzipSync(built.html).length +
    (built.serviceWorker.gzip?.length ?? Number.POSITIVE_INFINITY) +
    shared.reduce((sum, name) => sum + gzipped(name), 0)
  for (const [language, catalogue] of catalogues) {
    const total = bytes + gzipped(catalogue)
    assert.ok(total <= LIMIT, `${language}: ${total} bytes`)
    // Far less would mean that a part was not counted.
    assert.ok(total > 15_000, `${language}: ${total} bytes`)
  }
})

test('the first screen needs one script and the texts of its language', () => {
  // A helper of the build that two files need would become a third file, which delays the first screen.
  const scripts = built.html.match(/(?<=(?:src|href)=")[^"]+\.js(?=")/g) ?? []
  assert.equal(scripts.length, 1, scripts.join(', '))
  const script = built.assets.get(scripts[0]?.replace('/p/assets/', '') ?? '')?.plain.toString() ?? ''
  assert.doesNotMatch(script, /\bimport\s*(?:[\w{*][^;()]*from\s*)?["'`]/)
})

test('nothing of the page is loaded from another host', () => {
  for (const [name, { plain }] of built.assets) {
    const addresses = plain.toString().match(/\b(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}[^\s"'`)]*/gi) ?? []
    // The namespace of SVG is a name, not an address.
    assert.deepEqual(
      addresses.filter((address) => address !== 'http://www.w3.org/2000/svg'),
      [],
      name,
    )
  }
})
