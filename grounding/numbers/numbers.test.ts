import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { claimedNumbers, numbersIn } from './numbers.ts'

const cases: [language: string | null, text: string, numbers: string[]][] = [
  ['en', '1,000 people', ['1000']],
  ['de', '1.000 Leute', ['1000']],
  ['fr', '1\u202f000 personnes', ['1000', '1', '0']],
  ['de', '1’000 Leute', ['1000']],
  ['en', '1.000 litres', ['1']],
  ['de', '1,000 Liter', ['1']],
  [null, '1.000', ['1000', '1']],
  ['en', '1,234,567.89', ['1234567.89']],
  ['de', '1.234.567,89', ['1234567.89']],
  ['it', '2,5 milioni', ['2500000', '2.5']],
  ['nl', '2,5 miljoen', ['2500000', '2.5']],
  ['en', '25 per cent', ['25', '25%']],
  ['en', '25%', ['25', '25%']],
  ['es', '25 por ciento', ['25', '25%']],
  ['ar', '١٢٣', ['123']],
  ['hi', '४२', ['42']],
  ['en', 'CO2, A7 and #3', []],
  ['en', '10:30', ['10', '30']],
  ['en', '9:00', ['9']],
  ['en', '16:9 and 123:45', ['16', '9', '123', '45']],
  ['de', '10.30 Uhr', ['10.3', '10', '30']],
  ['en', '007', ['7']],
  ['en', 'the 1990s', ['1990']],
  ['en', 'two hundred and fifty thousand', ['250000']],
  ['en', 'a hundred and one', ['101']],
  ['en', 'two million three hundred thousand and five', ['2300005', '2300000', '5']],
  ['en', 'two thousand and nine', ['2009', '2000', '9']],
  ['en', 'two thousand and three million', ['2000', '3000000']],
  ['en', 'two thousand and they', ['2000']],
  ['de', 'zweitausendundneun', ['2009', '2000', '9']],
  ['de', 'eintausendzweihundert', ['1200']],
  ['de', 'Jahrtausende', []],
  ['de', 'ein Komma fünf Millionen', ['1500000', '1', '5']],
  ['nl', 'duizend en een', ['1001', '1000', '1']],
  ['it', 'prodotti similari di Milano', []],
  ['it', 'tremila o mille', ['3000', '1000']],
  ['it', 'millenovecento', ['1900']],
  ['en', '4.1 million', ['4100000', '4.1']],
  ['en', 'one point five', ['1.5', '1', '5']],
  ['en', 'four point two five million', ['4250000', '4', '2', '5']],
  ['en', 'at one point everyone left', ['1']],
  ['de', 'drei Komma fünf Prozent', ['3.5', '3', '5', '3.5%']],
  ['fr', 'deux virgule vingt-cinq', ['2.25', '2', '25']],
  ['it', 'uno virgola zero cinque', ['1.05', '1', '0', '5']],
  ['en', 'twenty to twenty-five percent', ['20', '20%', '25', '25%']],
  ['en', '20 to 25%', ['20', '20%', '25', '25%']],
  ['de', '20–25 %', ['20', '20%', '25', '25%']],
  ['fr', 'de 20 à 25 pour cent', ['20', '20%', '25', '25%']],
  ['en', '20 people and 25%', ['20', '25', '25%']],
  ['en', 'the third of May', ['3']],
  ['en', 'the twenty-first', ['21', '20']],
  ['de', 'am dritten und am einunddreißigsten', ['3', '31']],
  ['nl', 'de achtste en de twintigste', ['8', '20']],
  ['fr', 'le premier mai', ['1']],
  ['es', 'el primero de mayo', ['1']],
  ['it', 'il primo maggio', ['1']],
  ['en', 'nineteen eighty-nine', ['1989', '19', '89']],
  ['de', 'siebenhundertsechsunddreißig', ['736']],
  ['de', 'zweitausendvierundzwanzig', ['2024']],
  ['nl', 'drieëntwintigduizend', ['23000']],
  ['nl', 'honderdeenentwintig', ['121']],
  ['fr', 'quatre-vingt-dix-sept', ['97']],
  ['fr', 'soixante et onze', ['71']],
  ['fr', 'deux cents', ['200']],
  ['es', 'doscientas cincuenta y cinco', ['255']],
  ['es', 'veintidós', ['22']],
  ['it', 'ventotto', ['28']],
  ['it', 'trentatré', ['33']],
  ['it', 'duemilaventiquattro', ['2024']],
  ['pl', 'dwadzieścia', []],
  ['en', 'two and a half million', ['2500000']],
  ['en', 'half a million', ['500000']],
  ['en', 'two million and a half', ['2500000']],
  ['en', 'two hours and a half', ['2.5', '2', '30']],
  ['en', 'half past nine', ['9', '30', '9']],
  ['en', 'a quarter to one', ['12', '45', '1']],
  ['en', 'half past it all', ['0.5']],
  ['de', 'zweieinhalb Millionen', ['2500000']],
  ['de', 'anderthalb Stunden', ['1.5', '1', '30']],
  ['de', 'eine halbe Million', ['500000']],
  ['de', 'um halb zehn', ['9', '30', '10']],
  ['de', 'halb so viel', []],
  ['de', 'zweieinhalbtausend', ['2500']],
  ['nl', 'tweeënhalf miljoen', ['2500000']],
  ['nl', 'om half tien', ['9', '30', '10']],
  ['nl', 'een half miljoen', ['500000']],
  ['fr', 'neuf heures et demie', ['9.5', '9', '30']],
  ['fr', 'deux millions et demi', ['2500000']],
  ['es', 'a las nueve y media', ['9.5', '9', '30']],
  ['es', 'medio millón', ['500000']],
  ['it', 'due milioni e mezzo', ['2500000']],
  ['it', 'alle nove e mezza', ['9.5', '9', '30']],
]

for (const [language, text, numbers] of cases)
  test(`“${text}” (${language ?? 'any language'}) supports ${numbers.join(' and ') || 'no number'}`, () => {
    assert.deepEqual(numbersIn(text, language), numbers)
  })

test('does not check small numbers in words in a claim', () => {
  const claimed = (text: string) => claimedNumbers(text, 'en').flatMap(({ readings }) => readings)
  assert.deepEqual(claimed('One of twelve, and thirteen; 2 more, and 3 thousand.'), ['2', '3000', '13'])
})

test('recognises numbers in the format of each language', () => {
  const language = fc.constantFrom(...'en en-IN de de-CH nl fr es it ar fa ja ru'.split(' '))
  fc.assert(
    fc.property(fc.nat(10 ** 9), language, fc.boolean(), (value, tag, useGrouping) => {
      const text = `x ${new Intl.NumberFormat(tag, { useGrouping }).format(value)} y`
      const primary = tag.split('-')[0] ?? tag
      if (tag !== 'en-IN' || !useGrouping) assert.ok(numbersIn(text, primary).includes(String(value)), text)
    }),
  )
})

test('a text supports its own numbers', () => {
  const words = fc.constantFrom(' ', ...'twenty five hundred and % percent 3 , . 1,000 million ٣'.split(' '))
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 20 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(text, fc.constantFrom('en', 'de', null), (said, language) => {
      const there = new Set(numbersIn(said, language))
      for (const { readings, parts } of claimedNumbers(said, language))
        assert.ok(readings.some((one) => there.has(one)) || parts.every((one) => there.has(one)))
    }),
  )
})
