import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyText } from '../../../../test/support/properties.ts'
import type { Utterance } from '../../summarizer.ts'
import { createExtractiveSummarizer } from './summarizer.ts'

const summarizer = createExtractiveSummarizer()
const signal = new AbortController().signal
const utterancesOf = (texts: readonly string[]): Utterance[] =>
  texts.map((text, index) => ({ id: `u${index}`, start: index, text }))
const summarize = (texts: readonly string[], language: string | null = 'en') =>
  summarizer.summarize({ language, utterances: utterancesOf(texts), signal })

const TALK = [
  'Good morning everyone, and thanks for coming.',
  'The bike lanes on Canal Street are too narrow, and children are afraid to ride to school.',
  'Mr. Jansen told me that two accidents happened near the school last year. Yes.',
  'The library should stay open in the evening.',
  'Many students have no quiet place to study at home, so the library matters to them.',
  'But the city has no money for longer library hours.',
  'If we widen the bike lanes, we lose parking places.',
  'Shop owners need parking for their customers.',
  'I would rather have safe bike lanes than parking.',
]

test('selects key sentences on different subjects, with title and tags', async () => {
  const { title, points, tags } = await summarize(TALK)
  assert.equal(title, 'Children are afraid to ride to school')
  assert.deepEqual(tags, ['bike lanes', 'library', 'parking', 'school'])
  const text = points.map((point) => point.text).join(' ')
  for (const subject of [/library/, /bike lanes/, /parking/]) assert.match(text, subject)
  assert.deepEqual(
    points.map(({ utterances }) => utterances.length),
    points.map(() => 1),
  )
})

test('begins with what the person asks for, is against or worries about', async () => {
  const said: Record<string, [string[], first: string]> = {
    en: [
      ['I live on Mill Lane with my two kids.', 'The lamps went out in October.', 'Please repair them.'],
      'Please repair them.',
    ],
    nl: [
      ['Wij wonen hier al tien jaar.', 'De speeltuin ligt vol glas.', 'Ik ben tegen nog meer beton.'],
      'Ik ben tegen nog meer beton.',
    ],
    de: [
      ['Ich arbeite in der Spätschicht am Bahnhof.', 'Da habe ich richtig Angst.', 'Mein Bruder auch.'],
      'Da habe ich richtig Angst.',
    ],
    fr: [
      ['Je travaille le samedi matin.', 'Mes voisines vont au marché.', 'Il faudrait un marché le soir.'],
      'Il faudrait un marché le soir.',
    ],
    es: [
      ['Vivo encima de un bar muy grande.', 'No puedo dormir con tanto ruido.', 'Soy enfermera.'],
      'No puedo dormir con tanto ruido.',
    ],
    it: [
      ['Mia nonna ha novant’anni.', 'Hanno tolto la fermata.', 'Chiediamo di rimettere la fermata.'],
      'Chiediamo di rimettere la fermata.',
    ],
  }
  for (const [language, [texts, first]] of Object.entries(said))
    assert.equal((await summarize(texts, language)).points[0]?.text, first, language)
})

test('keeps up to three concerns of a short statement', async () => {
  const said = ['I want more benches in the park.', 'I am against the new parking garage.']
  const { points } = await summarize(said)
  assert.deepEqual(points.map(({ text }) => text).toSorted(), said.toSorted())
  const more = [
    'We need a crossing at the school.',
    'The noise at night worries me.',
    'Please fix the lamps.',
  ]
  assert.equal((await summarize([...said, ...more])).points.length, 3)
})

test('words that the engine did not understand are neither a title nor a point', async () => {
  assert.deepEqual((await summarize(['[unclear]', '[unclear] [unclear].'])).points, [])
  const some = await summarize(['[unclear]', 'We need more light near the [unclear].', '[unclear]'])
  assert.equal(some.title, 'We need more light near the…')
  assert.deepEqual(
    some.points.map(({ utterances }) => utterances),
    [['u1']],
  )
})

test('title and first point are from clear segments wherever one is usable; others carry the mark', async () => {
  const said = (texts: readonly string[], unclear: readonly number[]) =>
    summarizer.summarize({
      language: 'en',
      utterances: utterancesOf(texts).map((one, at) =>
        unclear.includes(at) ? { ...one, unclear: true } : one,
      ),
      signal,
    })
  const texts = [
    'Please ban the horses of the mayor now.',
    'The lamps in our lane went out in October.',
    'Yes, yes.',
  ]
  const one = await said(texts, [0])
  assert.equal(one.title, 'The lamps in our lane went out in October')
  assert.deepEqual(
    one.points.map(({ text }) => text),
    ['The lamps in our lane went out in October.', '[unclear] Please ban the horses of the mayor now.'],
  )
  // An answer is clear, but says nothing.
  const all = await said(texts, [0, 1])
  assert.equal(all.title, '[unclear] Please ban the horses of the mayor now')
  assert.equal(all.points[0]?.text, '[unclear] Please ban the horses of the mayor now.')
  const comma = await said(['[unclear], the horses are loud.'], [0])
  assert.equal(comma.title, '[unclear] the horses are loud')
  const marked = await said(['[unclear] the horses of the mayor are loud.'], [0])
  assert.deepEqual(
    [marked.title, marked.points[0]?.text],
    ['[unclear] the horses of the mayor are loud', '[unclear] the horses of the mayor are loud.'],
  )
})

test('a whole sentence comes before one that was not understood to its end, unless that one says what the person wants', async () => {
  const cut = 'The conference about the new harbour begins on [unclear]'
  const whole = 'The old harbour has three ships and a crane.'
  for (const said of [
    [whole, cut],
    [cut, whole],
  ]) {
    const { title, points } = await summarize(said)
    assert.deepEqual([title, points[0]?.text], ['The old harbour has three ships and a crane', whole])
  }
  const wish = 'We need more light in the lane behind the [unclear]'
  assert.match((await summarize([whole, wish])).title ?? '', /^We need more light/)
  assert.match((await summarize([cut])).title ?? '', /^The conference/)
})

test('points without such a concern keep their order', async () => {
  const texts = ['River', 'Bridge', 'Market', 'Tower'].flatMap((place) => [
    `${place} walks begin near the station.`,
    `Tourists photograph the ${place} from boats.`,
  ])
  const { points } = await summarize(texts)
  const places = points.map(({ utterances }) => Number(utterances[0]?.slice(1)))
  assert.ok(places.length > 1)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
})

test('a title is a sentence without its greeting, or a clause of a long one', async () => {
  const titles: [text: string, language: string, title: string][] = [
    ['Yeah, so, um, the bridge is closed.', 'en', 'The bridge is closed'],
    ['No more lamps, thank you.', 'en', 'No more lamps, thank you'],
    [
      'We have lived in the house at the end of the lane for nineteen years now, and the lamps must be repaired before winter.',
      'en',
      'The lamps must be repaired before winter',
    ],
    ['Goedemiddag, eh, de bus moet op tijd komen.', 'nl', 'De bus moet op tijd komen'],
    ['Also, ähm, wir brauchen eine Rutsche.', 'de', 'Wir brauchen eine Rutsche'],
    ['Bitte macht die Kneipe nicht zu.', 'de', 'Bitte macht die Kneipe nicht zu'],
    [`The ${'very '.repeat(30)}long road.`, 'en', `The ${'very '.repeat(14)}very…`],
  ]
  for (const [text, language, title] of titles)
    assert.equal((await summarize([text], language)).title, title, text)
})

const DEPENDENT: Record<string, [before: string, wish: string]> = {
  en: ['The lamps at the station are broken.', 'That has to change.'],
  de: ['Auf dem Spielplatz liegen Scherben.', 'Das muss sich ändern.'],
  nl: ['Op de speeltuin ligt glas.', 'Daar moet echt iets aan gebeuren.'],
  fr: ["La piste cyclable s'arrête au pont.", "Il faut la prolonger jusqu'à la gare."],
  es: ['La valla del muelle es baja.', 'Hay que arreglarla pronto.'],
  it: ['I lampioni sono rotti da mesi.', 'Dovete ripararli presto.'],
}
for (const [language, [before, wish]] of Object.entries(DEPENDENT))
  test(`${language}: a title names what it is about, and the wish stays the first point`, async () => {
    const { title, points } = await summarize([before, wish], language)
    assert.deepEqual([title, points[0]?.text], [before.slice(0, -1), wish])
  })

const UNNAMED: Record<string, [wish: string, named: string][]> = {
  en: [
    ['They should not do that.', 'They want to close the cinema.'],
    ['They should not do that.', 'I am against closing the cinema.'],
  ],
  de: [
    ['Das sollten sie nicht tun.', 'Sie wollen das Kino schließen.'],
    ['Das sollten sie bitte nicht machen.', 'Wir brauchen das Kino im Viertel.'],
  ],
  nl: [
    ['Dat moeten ze niet doen.', 'Ze willen de bioscoop sluiten.'],
    ['Ze moeten dat echt niet doen, alsjeblieft.', 'Ik wil dat de bioscoop open blijft.'],
  ],
  fr: [
    ['Ils ne devraient pas faire ça.', 'Ils veulent fermer le cinéma.'],
    ['Ils ne devraient pas le faire.', 'Il faut garder le cinéma du quartier.'],
  ],
  es: [
    ['No deberían hacer eso.', 'Quieren cerrar el cine.'],
    ['No deberían hacerlo.', 'Quiero que mantengan abierto el cine del barrio.'],
  ],
  it: [
    ['Non dovrebbero farlo.', 'Vogliono chiudere il cinema.'],
    ['Non dovrebbero farlo.', 'Vorrei che il cinema restasse aperto.'],
  ],
}
for (const [language, pairs] of Object.entries(UNNAMED))
  for (const [wish, named] of pairs)
    test(`${language}: “${wish}” does not come before “${named}”`, async () => {
      const { title, points } = await summarize([named, wish], language)
      assert.deepEqual([points.map(({ text }) => text), title], [[named, wish], named.slice(0, -1)])
    })

test('a clause that is a title is complete', async () => {
  const titles: [text: string, language: string, title: string][] = [
    [
      'Ein Spielplatz hinter der alten Kranbahn, mit Blick auf den Markt, wäre ideal: wir könnten essen, und die Kinder könnten klettern.',
      'de',
      'Ein Spielplatz hinter der alten Kranbahn, mit Blick auf den Markt, wäre ideal',
    ],
    [
      'Ein ruhiger, dunkler Raum mit zwei Liegen wäre keine Wohltat, sondern Sicherheit: um vier Uhr morgens rechne ich Dosierungen aus.',
      'de',
      'Ein ruhiger, dunkler Raum mit zwei Liegen wäre keine Wohltat, sondern Sicherheit',
    ],
    [
      'Necesitamos que arreglen el ascensor y que nos pregunten antes de cambiar los turnos de cada semana.',
      'es',
      'Necesitamos que arreglen el ascensor',
    ],
    [
      'Je voudrais une vraie pause à midi et moins de devoirs les jours où il y a sept heures de cours.',
      'fr',
      'Je voudrais une vraie pause à midi',
    ],
    [
      'I więcej drzew, bo latem kamień bardzo się nagrzewa.',
      'pl',
      'Więcej drzew, bo latem kamień bardzo się nagrzewa',
    ],
  ]
  for (const [text, language, title] of titles)
    assert.equal((await summarize([text], language)).title, title, text)
})

test('repeated sentences are selected once', async () => {
  const { points } = await summarize(Array.from({ length: 9 }, () => 'The old bridge is broken again.'))
  assert.deepEqual(points, [{ text: 'The old bridge is broken again.', utterances: ['u0'] }])
  const variants = ['wooden', 'steel', 'narrow', 'rusty'].map(
    (word) => `The ${word} bridge near our school is broken.`,
  )
  const others = ['Parking costs too much money near the market.', 'Students need a quiet library building.']
  const picked = (await summarize([...variants, ...others])).points.map(({ text }) => text)
  assert.equal(picked.filter((text) => variants.includes(text)).length, 1, picked.join('\n'))
})

test('a sentence does not end at an abbreviation', async () => {
  const sentences = {
    en: 'Yesterday Mr. Jansen repaired the broken bridge.',
    de: 'Viele Tiere, z.B. Hunde, brauchen täglich Bewegung.',
    nl: 'Sommige dieren, bijv. Honden, moeten dagelijks wandelen.',
  }
  for (const [language, text] of Object.entries(sentences))
    assert.deepEqual((await summarize([text], language)).points, [{ text, utterances: ['u0'] }], language)
})

test('summarises little or no text', async () => {
  const cases: [texts: string[], language: string | null, title: string, points: string[]][] = [
    [[], 'en', 'Nothing was said', []],
    [['', '  \n'], 'nl', 'Er is niets gezegd', []],
    [['Hello.'], 'en', 'Hello', []],
    [['Yes, yes.'], 'en', 'Yes, yes', []],
    [['…?!'], 'de', 'Es wurde nichts gesagt', []],
    [['Fix the bridge, please!'], 'en', 'Fix the bridge, please', ['Fix the bridge, please!']],
  ]
  for (const [texts, language, title, points] of cases) {
    const summary = await summarize(texts, language)
    assert.deepEqual(
      [summary.title, summary.points.map(({ text }) => text), summary.tags],
      [title, points, []],
    )
  }
})

test('detects an unknown language by its stop words', async () => {
  const { tags, title } = await summarize(
    [
      'De fietspaden in de stad zijn veel te smal.',
      'Bredere fietspaden zijn voor de kinderen veel veiliger.',
    ],
    null,
  )
  assert.deepEqual([title, tags], ['De fietspaden in de stad zijn veel te smal', ['fietspaden']])
})

const READING = [
  'And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.',
  'He was not an ill-disposed young man, unless to be rather cold hearted and rather selfish is to be ill-disposed.',
  'He might even have been made amiable himself.',
]
for (const language of ['nl', 'de', 'fr', 'es', 'it', 'pl'])
  test(`tags are not stop words if someone speaks English and the project is in another language: ${language}`, async () => {
    assert.deepEqual((await summarize(READING, language)).tags, (await summarize(READING, 'en')).tags)
  })

test('tags are not stop words of another language within a sentence', async () => {
  const { tags } = await summarize(
    ['De markt to go is his idee.', 'Een markt to go, dat is his plan.', 'Op de markt with us.'],
    'nl',
  )
  assert.deepEqual(tags, ['markt'])
})

test('summarises languages without spaces and from right to left', async () => {
  const japanese = await summarize(
    ['図書館は夜遅くまで開いているべきです。図書館には静かな場所があります。自転車道が狭いです。'],
    'ja',
  )
  assert.ok(japanese.tags.includes('図書館'))
  const arabic = await summarize(['المكتبة يجب أن تبقى مفتوحة في المساء. المكتبة مهمة للطلاب.'], 'ar')
  assert.ok(arabic.points.length > 0 && arabic.tags.includes('المكتبة'))
})

test('splits text without full stops', async () => {
  const { points } = await summarize([
    `${'the river floods our street every winter and nobody helps us, '.repeat(40)}`,
  ])
  assert.ok(points.length > 0)
  for (const { text } of points) assert.ok(text.length <= 300)
})

test('hesitations take no exponential time', async () => {
  const began = performance.now()
  for (const [language, word] of Object.entries({
    it: 'ehm',
    en: 'so',
    nl: 'eh',
    de: 'ähm',
    fr: 'euh',
    es: 'eh',
  }))
    for (const mark of [' ', ', ', '. '])
      await summarize([`${`${word}${mark}`.repeat(70)}1`, `${`${word}${mark}`.repeat(200)}x y z`], language)
  assert.ok(performance.now() - began < 5_000)
})

const WORDS = [
  ['bridge', 'school', 'the', '橋', 'مدرسة', 'e\u0301cole', '👩‍👩‍👧'],
  ['. ', '! ', '\u202e', '\n', '\ud800', ' '],
].flat()
/** Repeated words, and any other characters. */
const anySentence = fc.oneof(
  anyText(200),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 80 }).map((words) => words.join(' ')),
)
const anyLanguage = fc.oneof(
  fc.constantFrom('en', 'nl', 'ar', 'ja', 'tr', 'xx', 'zz-ZZ', null),
  fc.string({ maxLength: 5 }),
)

test('every point is in its utterance, and results are reproducible', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySentence, { maxLength: 12 }), anyLanguage, async (texts, language) => {
      const summary = await summarize(texts, language)
      for (const { text, utterances } of summary.points) {
        assert.equal(utterances.length, 1)
        assert.ok(text !== '' && texts[Number(utterances[0]?.slice(1))]?.includes(text))
      }
      assert.ok(summary.points.length <= 8 && summary.tags.length <= 10)
      assert.equal(new Set(summary.points.map(({ text }) => text)).size, summary.points.length)
      assert.ok(summary.title !== '' && summary.title.length <= 80 && !/[.,;:!?\s]$/u.test(summary.title))
      for (const tag of summary.tags) assert.equal(tag, tag.toLowerCase())
      assert.deepEqual(await summarize(texts, language), summary)
    }),
    { numRuns: 300 },
  )
})

test('yields to the event loop while it summarises a long recording', async () => {
  // Words as unevenly spread as in speech.
  const word = (index: number) => `word${Math.floor(3_000 * ((index * 0.618_034) % 1) ** 3).toString(36)}`
  const sentence = (_: unknown, index: number) =>
    `${Array.from({ length: 12 }, (_word, place) => word(12 * index + place)).join(' ')}.`
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  const { points } = await summarize(Array.from({ length: 6_000 }, sentence))
  clearImmediate(next)
  assert.equal(points.length, 8)
  assert.ok(turns > 150, `others had ${turns} turns`)
})

test('an abort ends the summary', async () => {
  const stop = new AbortController()
  const summary = summarizer.summarize({
    language: 'en',
    utterances: utterancesOf(TALK),
    signal: stop.signal,
  })
  stop.abort(new Error('stopped'))
  await assert.rejects(summary, { message: 'stopped' })
})
