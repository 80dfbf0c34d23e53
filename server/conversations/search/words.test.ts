import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyText } from '../../../test/support/properties.ts'
import { queryWords, wordsOf } from './words.ts'

/** As PostgreSQL compares them. */
function finds(asked: string, text: string): boolean {
  const [words, prefixes] = [wordsOf(text), queryWords(asked)]
  return prefixes.length > 0 && prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

const letters = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n)).join('')

/** Letters of scripts with spaces, with the marks that belong to them. */
const SPACED = {
  latin: 'aeiouzAEIOZßẞıİſæøłßéàñçǆﬁÅ\u0301\u0308',
  greek: 'αβγσςΣΑΩάΐ',
  cyrillic: 'абвйёЙЁїʼ',
  arabic: 'ابتثكلمأإآؤئـ\u064e\u0651\u200c',
  hebrew: 'אבגדםן\u05b8\u05bc',
  devanagari: 'कखगहि\u093f\u094dक़\u093c',
  tamil: 'கசடதபமொ\u0bcd',
  korean: letters(0xac00, 0xac30),
  armenian: 'աբգևԱ',
  georgian: 'აბგᲐ',
  digits: '0123456789٣０５',
}
const UNSPACED = {
  han: `${letters(0x4e00, 0x4e40)}々〇𠀀𠮷`,
  hiragana: `${letters(0x3042, 0x3062)}ー\u3099`,
  katakana: `${letters(0x30a2, 0x30c2)}ーｶﾞﾅ`,
  thai: `${letters(0x0e01, 0x0e32)}${letters(0x0e34, 0x0e3a)}${letters(0x0e40, 0x0e4c)}`,
  lao: 'ກຂຄງຈຊ\u0eb5\u0ec9',
  khmer: `${letters(0x1780, 0x17a2)}\u17b6\u17d2\u17c6`,
  myanmar: `${letters(0x1000, 0x1020)}\u102c\u1039\u103a`,
}
const BETWEEN = ' \n\t.,;:!?\'’"-–—/\\@_()[]&+#·…、。・「」\u200b🌳'

/** Starts with a letter, because marks follow letters. */
const runOf = (alphabet: string) =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { maxLength: 11 })
    .map((some) => [Array.from(alphabet)[0], ...some].join(''))
const spaced = fc.oneof(...Object.values(SPACED).map(runOf))
const unspaced = fc.oneof(...Object.values(UNSPACED).map(runOf))
const between = fc
  .array(fc.constantFrom(...Array.from(BETWEEN)), { minLength: 0, maxLength: 2 })
  .map((some) => some.join(''))
const texts = fc
  .array(fc.tuple(fc.oneof(spaced, unspaced), between), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.flat().join(''))

const segmentsOf = (text: string, granularity: 'word' | 'grapheme') => [
  ...new Intl.Segmenter('en', { granularity }).segment(text),
]
const graphemesOf = (text: string): string[] => segmentsOf(text, 'grapheme').map(({ segment }) => segment)
/** Whether the text has more than marks that are ignored. */
const hasLetter = (text: string): boolean => wordsOf(text).length > 0

test('finds every word of a text by each of its beginnings', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const words = segmentsOf(text, 'word').filter(({ isWordLike }) => isWordLike)
      for (const { segment } of words)
        for (const [place] of graphemesOf(segment).entries()) {
          const asked = graphemesOf(segment)
            .slice(0, place + 1)
            .join('')
          if (hasLetter(asked)) assert.ok(finds(asked, text), `${asked} in ${text}`)
        }
    }),
    { numRuns: 300 },
  )
})

test('finds every part of a text in scripts without spaces', () => {
  const parts = fc
    .tuple(fc.oneof(...Object.values(UNSPACED).map(runOf)), between, unspaced)
    .chain((pieces) => {
      const graphemes = graphemesOf(pieces.join(''))
      const place = fc.nat({ max: graphemes.length - 1 })
      return fc.tuple(fc.constant(graphemes), place, place)
    })
  fc.assert(
    fc.property(parts, ([graphemes, one, other]) => {
      const asked = graphemes.slice(Math.min(one, other), Math.max(one, other) + 1).join('')
      if (hasLetter(asked)) assert.ok(finds(asked, graphemes.join('')), `${asked} in ${graphemes.join('')}`)
    }),
    { numRuns: 300 },
  )
})

test('finds a text in upper case, lower case and every Unicode normalization form', () => {
  fc.assert(
    fc.property(texts, (text) => {
      if (!hasLetter(text)) return
      const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => text.normalize(form))
      for (const asked of [text, text.toUpperCase(), text.toLowerCase(), ...forms])
        assert.ok(finds(asked, text), `${asked} in ${text}`)
    }),
  )
})

test('words of any text are short and have only letters and digits', () => {
  fc.assert(
    fc.property(fc.oneof(texts, anyText(300)), (text) => {
      for (const word of [...wordsOf(text), ...queryWords(text)]) {
        assert.match(word, /^[\p{L}\p{M}\p{N}]+$/v)
        assert.ok(Array.from(word).length <= 60)
      }
    }),
    { numRuns: 300 },
  )
})

test('indexes the first words of a text that has more than PostgreSQL can store', () => {
  const long = (wordAt: (n: number) => string) =>
    Array.from({ length: 200_000 }, (_, n) => wordAt(n)).join('')
  const texts = {
    words: long((n) => `word${n} `),
    ideograms: long((n) => String.fromCodePoint(0x4e00 + ((n * n) % 20_011))),
    'parts of one word': long((n) => `a${n}.`),
    'letters of one word': long(() => 'é'),
  }
  for (const [name, text] of Object.entries(texts)) {
    const words = wordsOf(text)
    assert.equal(new Set(words).size, words.length, name)
    assert.ok(Buffer.byteLength(words.join('')) <= 1_000_000, name)
    assert.ok(finds(text.slice(0, 6), text), name)
  }
})

test('a search uses its first 20 words', () => {
  const many = Array.from({ length: 100 }, (_, n) => `word${n}`)
  assert.deepEqual(queryWords(many.join(' ')), many.slice(0, 20))
  assert.deepEqual(queryWords('one One ONE two'), ['one', 'two'])
  for (const nothing of ['', ' ', '...', "'", '\\', ':* & | !', '\0', '\u0301', '🌳'])
    assert.deepEqual(queryWords(nothing), [], nothing)
})

const FOUND: [text: string, ...asked: string[]][] = [
  ['We don’t stop', "don't", 'dont', 'don', 'DON’T'],
  ['l’été prochain', 'été', 'ete', "l'ete", 'l été'],
  ['a cafe', 'café', 'CAFÉ', 'cafe\u0301'],
  ['un café', 'cafe', 'CAFE'],
  ['Große Straße', 'strasse', 'STRASSE', 'straße', 'GROẞE', 'stras'],
  ['İstanbul, ISPARTA', 'istanbul', 'ISTANBUL', 'İSTANBUL', 'ısparta', 'isparta'],
  ['ΟΔΟΣ και οδός', 'οδος', 'ΟΔΟΣ', 'οδό', 'οδοσ'],
  ['мой ёж, п’ять', 'МОЙ', 'еж', 'ё', "п'ять", 'пʼять'],
  [
    'write to anna.kern@example.com!',
    'anna',
    'kern',
    'anna.kern@example.com',
    '@example',
    'example.com',
    'com',
  ],
  ['https://www.example.com/park?id=7', 'example.com', 'park', 'https://www.example.com/pa', 'id=7'],
  ['the e-mail of 2024-05-06', 'email', 'e-mail', 'mail', '2024-05', '05-06'],
  ['well-being–related', 'being', 'wellbeing', 'related', 'well–being'],
  ['1,000.50 euros and 12:30', '1000', '1,000', '1.000', '50', '12:30', '12'],
  ['CO₂ in 5km, Ａ３２０, 1½Stunden', 'co2', 'km', '320', 'a320', 'Stunden', '½'],
  ['東京都に行きました。図書館', '東京', '京都', '都', '図書館', '館', '東京都に行き'],
  ['カタカナとｶﾞﾗｽ', 'ガラス', 'タカ', 'ｶﾞﾗ'],
  ['我们需要更多的长椅', '长椅', '更多', '需要更多的长椅'],
  ['ฉันต้องการน้ำ', 'น้ำ', 'ต้องการ', 'การน้ำ'],
  ['ភាសា\u200bខ្មែរ', 'ភាសាខ្មែរ', 'ខ្មែរ'],
  ['می‌خواهم', 'میخواهم', 'می خواهم', 'خواهم', 'می‌خواهم'],
  ['السَّلَامُ كتـــاب أحمد', 'السلام', 'كتاب', 'احمد', 'أحمد'],
  ['שָׁלוֹם צה"ל', 'שלום', 'צה״ל', 'צהל'],
  ['हिन्दी में', 'हिन्दी', 'हि', 'में'],
  ['서울에서 왔어요', '서울', '왔어요', '서울'.normalize('NFD')],
  ['SK하이닉스에서', '하이닉스', 'sk하이', 'SK'],
  ['iPhone版を買う', 'iphone版', '版を', 'iphone'],
  ['soft\u00adhyphen, ї\u200ba', 'softhyphen', 'a'],
]

test('finds words in each usual spelling', () => {
  for (const [text, ...asked] of FOUND)
    for (const words of asked) assert.ok(finds(words, text), `${words} in ${text}`)
})

test('does not match words that are not in the text', () => {
  const said: [string, string][] = [
    ['no tea', 'note'],
    ['हिन्दी', 'हन'],
    ['かき', 'がき'],
    ['東京', '京東'],
    ['want a dog', 'ant'],
    ['ผม', 'ดี'],
    ['a tram', "don't"],
  ]
  for (const [text, asked] of said) assert.ok(!finds(asked, text), `${asked} in ${text}`)
})

for (const [name, run] of Object.entries({
  'invisible spaces': '\u200c',
  accents: '\u0301',
  'marks of Hindi': '\u093c',
  joints: '.',
  'digits and commas': '1,',
  apostrophes: '\u02bc',
  'letters and joints': 'a-',
  ideograms: '字',
  'Thai letters': 'ก\u0e34',
}))
  test(`splits a hundred thousand ${name} in linear time`, () => {
    for (const text of [run.repeat(100_000), `a${run.repeat(100_000)}b`, `字${run.repeat(100_000)}ก`]) {
      wordsOf(text)
      queryWords(text)
    }
  })
