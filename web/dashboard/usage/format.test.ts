import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytes } from './format.ts'

test('sizes have the units of the API, and the numbers of the reader', () => {
  const sizes: [value: number, locale: string, shown: string][] = [
    [0, 'en-GB', '0 B'],
    [999, 'en-GB', '999 B'],
    [1024, 'en-GB', '1 KiB'],
    [1024 ** 2 - 1, 'en-GB', '1 MiB'],
    [1.5 * 1024 ** 3, 'nl', '1,5 GiB'],
    [1.5 * 1024 ** 3, 'fr-BE', '1,5 Gio'],
    [20 * 1024 ** 4, 'de', '20 TiB'],
    [5_000 * 1024 ** 4, 'en-GB', '5,000 TiB'],
  ]
  for (const [value, locale, shown] of sizes) assert.equal(bytes(value, locale), shown.replace(' ', '\u00a0'))
})
