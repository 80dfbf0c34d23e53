import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import type { ReportRequest, ReportSource } from '../../summarizer.ts'
import { createExtractiveSummarizer } from './summarizer.ts'

const summarizer = createExtractiveSummarizer()

const sourcesOf = (
  conversations: readonly (readonly string[])[],
  language: string | null = 'en',
): ReportSource[] =>
  conversations.map((texts, index) => ({
    id: `c${index}`,
    title: null,
    participant: null,
    language,
    utterances: texts.map((text, place) => ({ id: `c${index}-${place}`, start: place, text })),
  }))

const reportOf = (conversations: readonly ReportSource[], more: Partial<ReportRequest> = {}) =>
  summarizer.report({
    title: null,
    language: 'en',
    instructions: null,
    conversations,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  })

const TALKS = sourcesOf([
  [
    'The bike lanes on Canal Street are too narrow for families.',
    'The library should stay open in the evening for students.',
    'Parking near the market costs too much money now.',
  ],
  [
    'Wider bike lanes would make my way to work safer.',
    'Students need the library when they prepare for exams.',
    'My shop loses customers without parking places.',
  ],
  [
    'Nobody respects the bike lanes, delivery vans stop there all day.',
    'The library building is cold, but the staff is wonderful.',
    'I gave up my car, so parking is not my problem.',
  ],
])

test('builds sections from subjects that conversations share', async () => {
  const { title, sections } = await reportOf(TALKS)
  assert.match(title, /bike lanes/i)
  const headings = sections.map(({ heading }) => heading.toLowerCase()).join(' | ')
  for (const subject of ['bike lanes', 'library', 'parking']) assert.ok(headings.includes(subject), headings)
  for (const { quotations, voices } of sections.filter(({ heading }) => heading !== '')) {
    const quoted = quotations.map((one) => one.conversation_id)
    assert.ok(quoted.length >= 2 && new Set(quoted).size === quoted.length, 'quotes different people')
    assert.deepEqual(voices?.conversations, ['c0', 'c1', 'c2'])
  }
})

/** Six subjects, each in the words of several people. The rest of each statement has words that many share. */
const STATEMENTS: [subject: string, ...texts: string[]][] = [
  ['c0', 'So, um, every time I walk home from the train it is dark.', 'Please repair the street lamps.'],
  ['c1', 'People pay a lot of rent here.', 'We need more lamps along the path.'],
  ['c2', 'I sit at my window a lot these days.', "I don't want another lamp outside my bedroom."],
  ['c3', 'People met there all the time.', "I'd love to see the kiosk open again."],
  ['c4', 'My dad ran the kiosk for years.', 'The rent for the kiosk has to come down.'],
  ['c5', 'Every time I sat there, people were drunk.', "I'm against opening the kiosk again."],
  ['c6', 'There is one bus every two hours.', 'We want an hourly bus to the train.'],
  ['c7', 'I pay four pounds each time.', 'The bus fare should be lower for people like us.'],
  ['c8', 'We grow tomatoes on the roundabout.', "We'd like some ground for a garden."],
  ['c9', 'People talk and sit in the shared garden.', 'Please keep the garden open in winter.'],
  ['c10', 'Yesterday an astronaut visited our kindergarten, which was splendid.'],
]
const statements = sourcesOf(STATEMENTS.map(([, ...texts]) => texts))

test('themes are the subjects of many people, not the words that they share', async () => {
  const { sections, title } = await reportOf(statements)
  const voices = sections.map((section) => [section.heading, section.voices?.conversations.join(' ')])
  assert.deepEqual(voices.toSorted(), [
    ['', 'c10'],
    ['Bus', 'c6 c7'],
    ['Garden', 'c8 c9'],
    ['Kiosk', 'c3 c4 c5'],
    ['Lamps', 'c0 c1 c2'],
  ])
  assert.match(title, /^\p{Lu}\p{L}+, \p{L}+,? and \p{L}+$/u)
})

test('words that only look related are different subjects', async () => {
  const said: Record<string, string[]> = {
    en: [
      'I want more benches in the park.',
      'The park needs benches for old people.',
      'I am against the parking garage.',
      'Please do not build the parking garage next to the school.',
    ],
    nl: [
      'Ik wil meer bankjes in het park.',
      'Het park heeft bankjes nodig voor ouderen.',
      'Ik ben tegen de parkeergarage.',
      'Bouw de parkeergarage niet naast de school.',
    ],
    de: [
      'Ich will mehr Bänke im Park.',
      'Der Park braucht Bänke für alte Leute.',
      'Ich bin gegen das Parkhaus.',
      'Bitte baut das Parkhaus nicht neben die Schule.',
    ],
  }
  for (const [language, texts] of Object.entries(said)) {
    const { sections } = await reportOf(
      sourcesOf(
        texts.map((text) => [text]),
        language,
      ),
      { language },
    )
    const people = sections.flatMap(({ voices }) => (voices ? [voices.conversations] : []))
    assert.deepEqual(
      people.toSorted(),
      [
        ['c0', 'c1'],
        ['c2', 'c3'],
      ],
      language,
    )
  }
})

test('themes come in the order of the number of people, those that the host asked for first', async () => {
  const countsOf = ({ sections }: Awaited<ReturnType<typeof reportOf>>) =>
    sections.flatMap(({ heading, voices }) => (heading && voices ? [voices.conversations.length] : []))
  const counts = countsOf(await reportOf(statements))
  assert.ok(counts.length > 1)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  )
  const { sections } = await reportOf(statements, { instructions: 'What do people say about the garden?' })
  assert.equal(sections[0]?.heading, 'Garden')
})

test('requests that take no side do not put a theme behind one of fewer people', async () => {
  const { sections } = await reportOf(
    sourcesOf([
      ['The playground is full of broken glass. Clean the playground every day.'],
      ['Dogs run on the playground. Someone should clean it.'],
      ['The slide on the playground gets too hot. It should be made of wood.'],
      ['Take away parking places and plant trees.'],
      ['I am against more parking places.'],
    ]),
  )
  const headings = sections.map(({ heading }) => heading)
  assert.equal(headings[0], 'Playground', headings.join())
  assert.match(headings[1] ?? '', /^Parking/)
})

test('a theme counts who asks and who objects, and quotes both', async () => {
  const { sections } = await reportOf(statements)
  const find = (name: string) => sections.find(({ heading }) => heading === name)
  assert.deepEqual(find('Lamps')?.voices, {
    conversations: ['c0', 'c1', 'c2'],
    for: ['c0', 'c1'],
    against: ['c2'],
  })
  for (const name of ['Lamps', 'Kiosk']) {
    const section = find(name)
    const quoted = section?.quotations.map((one) => one.conversation_id) ?? []
    assert.equal(quoted.length, 3)
    assert.ok(section?.voices?.against.some((id) => quoted.includes(id)))
    assert.ok(section?.voices?.for.some((id) => quoted.includes(id)))
  }
})

test('long conversations are in several themes', async () => {
  const wishes = ['bus', 'kiosk', 'library', 'garden', 'playground'].map((subject) => [
    `My aunt told me a story about the ${subject}.`,
    `The ${subject} should be open on Sundays.`,
    'And so on and so forth.',
  ])
  const talks = Array.from({ length: 20 }, (_, index) => [
    `My cousin${index} met a juggler${index % 10} there.`,
    ...[0, 1, 2].flatMap((step) => wishes[(index + step) % wishes.length] ?? []),
  ])
  const { sections } = await reportOf(sourcesOf(talks))
  // The small talk is a theme of all 20.
  const [small, ...found] = sections.map(({ heading, voices }) => [heading, voices?.conversations.length])
  assert.equal(small?.[1], 20)
  assert.deepEqual(found.slice(0, 5).toSorted(), [
    ['Bus', 12],
    ['Garden', 12],
    ['Kiosk', 12],
    ['Library', 12],
    ['Playground', 12],
  ])
})

test('tags join statements that share no word', async () => {
  const sources = sourcesOf([
    ['One climbing frame for fifty toddlers.'],
    ['The slide was taped off last autumn.'],
    ['Drummers rehearse beneath us.'],
    ['Scooters race until two.'],
  ]).map((source, index) => ({ ...source, tags: [index < 2 ? 'playground' : 'noise'] }))
  const { sections } = await reportOf(sources)
  const found = sections.map(({ heading, voices }) => [heading, voices?.conversations])
  assert.deepEqual(found, [
    ['Playground', ['c0', 'c1']],
    ['Noise', ['c2', 'c3']],
  ])
})

/** Four subjects of two people each, and tags that name a district, a table or a round. */
const LABELLED: Record<string, [labels: string[], ...subjects: [heading: string, ...texts: string[]][]]> = {
  en: [
    ['south', 'table 3', 'Riverside'],
    ['Bus', 'The bus is late every morning.', 'We need a bus on Sundays.'],
    ['Library', 'The library closes at five.', 'I read in the library.'],
    ['Garden', 'The garden has no water tap.', 'Roses grow in the garden.'],
    ['Noise', 'The noise at night is awful.', 'Lorries make the noise.'],
  ],
  nl: [
    ['zuid', 'tafel 3', 'Oosterpoort'],
    ['Bus', 'De bus komt nooit op tijd.', 'Wij willen een bus op zondag.'],
    ['Bibliotheek', 'De bibliotheek sluit om vijf uur.', 'Ik lees in de bibliotheek.'],
    ['Tuin', 'De tuin heeft geen kraan.', 'In de tuin groeien rozen.'],
    ['Herrie', 'De herrie is vreselijk.', 'Vrachtwagens maken de herrie.'],
  ],
  de: [
    ['Süd', 'Tisch 3', 'Altstadt'],
    ['Bus', 'Der Bus kommt nie pünktlich.', 'Wir brauchen sonntags einen Bus.'],
    ['Bücherei', 'Die Bücherei schließt um fünf.', 'Ich lese in der Bücherei.'],
    ['Garten', 'Der Garten hat keinen Wasserhahn.', 'Im Garten wachsen Rosen.'],
    ['Lärm', 'Der Lärm ist furchtbar.', 'Lastwagen machen den Lärm.'],
  ],
  fr: [
    ['sud', 'tour 2', 'Belleville'],
    ['Bus', 'Le bus est toujours en retard.', 'Il faut un bus le dimanche.'],
    ['Bibliothèque', 'La bibliothèque ferme à cinq heures.', 'Je lis à la bibliothèque.'],
    ['Jardin', 'Le jardin manque de bancs.', 'Des roses fleurissent dans le jardin.'],
    ['Bruit', 'Le bruit est affreux.', 'Les camions font le bruit.'],
  ],
  es: [
    ['norte', 'mesa 3', 'Triana'],
    ['Autobús', 'El autobús llega siempre tarde.', 'Queremos un autobús los domingos.'],
    ['Biblioteca', 'La biblioteca cierra a las cinco.', 'Leo en la biblioteca.'],
    ['Jardín', 'El jardín no tiene grifo.', 'En el jardín crecen rosas.'],
    ['Ruido', 'El ruido es horrible.', 'Los camiones hacen el ruido.'],
  ],
  it: [
    ['sud', 'tavolo 3', 'Navigli'],
    ['Autobus', 'Un autobus passa ogni ora.', 'Vogliamo un autobus la domenica.'],
    ['Biblioteca', 'La biblioteca chiude alle cinque.', 'Leggo nella biblioteca.'],
    ['Giardino', 'Il giardino non ha un rubinetto.', 'Nel giardino crescono rose.'],
    ['Rumore', 'Il rumore è orribile.', 'I camion fanno il rumore.'],
  ],
}
for (const [language, [labels, ...subjects]] of Object.entries(LABELLED))
  for (const label of labels)
    test(`${language}: the tag “${label}” on conversations about different subjects hides none of them`, async () => {
      const sources = sourcesOf(
        subjects.flatMap(([, ...texts]) => texts.map((text) => [text])),
        language,
      ).map((source) => ({ ...source, tags: [label] }))
      const { sections } = await reportOf(sources, { language })
      const found = sections.flatMap(({ heading, voices }) =>
        heading === '' ? [] : [[heading, voices?.conversations.length]],
      )
      assert.deepEqual(found.toSorted(), subjects.map(([heading]) => [heading, 2]).toSorted())
    })

test('groups people by a tag that no one says if they talk about one subject', async () => {
  const bus = ['The bus is late.', 'We need another bus.', 'I like the bus.', 'It never stops at the mill.']
  const library = ['The library closes at five.', 'I read in the library.', 'Please keep the library open.']
  const talks = [...bus, ...library].map((text) => [text])
  const sources = sourcesOf(talks).map((source, at) => ({
    ...source,
    tags: at < 4 ? ['mobility'] : ['south'],
  }))
  const { sections } = await reportOf(sources)
  assert.deepEqual(
    sections.flatMap(({ voices }) => (voices ? [voices.conversations] : [])),
    [
      ['c0', 'c1', 'c2', 'c3'],
      ['c4', 'c5', 'c6'],
    ],
  )
})

test('a tag is not the name of a theme if one of its words names a part of the town', async () => {
  const said = [
    'The bus is late.',
    'We need another bus.',
    'I like the bus.',
    'A bus is loud.',
    'The bus stops here.',
  ]
  const parts = ['north', 'north', 'south', 'south', 'east']
  const sources = sourcesOf([...said, 'Trees fell down.', 'The lift is broken.'].map((text) => [text])).map(
    (source, at) => ({ ...source, tags: [`bus ${parts[at % parts.length]}`] }),
  )
  const { sections } = await reportOf(sources)
  assert.equal(sections[0]?.heading, 'Bus')
})

test('instructions decide the order', async () => {
  for (const subject of ['library', 'parking', 'bike']) {
    const { sections } = await reportOf(TALKS, { instructions: `What do people think about the ${subject}?` })
    assert.match(sections[0]?.heading ?? '', new RegExp(subject, 'i'))
  }
})

test('themes are in the order of their numbers of people, also if no one asks for anything', async () => {
  const { sections } = await reportOf(
    sourcesOf([
      ['The library is full in the evening.'],
      ['Students sit in the library every evening.'],
      ['I read in the library.'],
      ['The library has a new roof.'],
      ['We need a crossing at the school.'],
      ['Please build a crossing there.'],
    ]),
  )
  const themes = sections.filter(({ heading }) => heading !== '')
  const found = themes.map(({ heading, voices }) => [heading, voices?.conversations.length])
  assert.deepEqual(found, [
    ['Library', 4],
    ['Crossing', 2],
  ])
})

test('the introduction says, in the report’s language, that it is an extract', async () => {
  const cases: [string, RegExp][] = [
    ['en', /automatic extract of 3 conversations/],
    ['de', /automatischer Auszug aus 3 Gesprächen/],
    ['nl', /automatisch uittreksel van 3 gesprekken/],
    ['fr', /extrait automatique de 3 conversations/],
    ['es', /extracto automático de 3 conversaciones/],
    ['it', /estratto automatico di 3 conversazioni/],
    ['it-CH', /estratto automatico di 3 conversazioni/],
    ['sv', /automatic extract of 3 conversations/],
  ]
  for (const [language, sentence] of cases)
    assert.match((await reportOf(TALKS, { language })).introduction, sentence, language)
})

test('no conversations, or silent ones, give a report without sections', async () => {
  for (const conversations of [[], sourcesOf([[], ['']])]) {
    const progress: number[] = []
    const report = await reportOf(conversations, { onProgress: (share) => progress.push(share) })
    assert.deepEqual([report.title, report.sections, progress.at(-1)], ['Report', [], 1])
    assert.match(report.introduction, /nothing to report/)
  }
})

const textsOf = ({ sections }: Awaited<ReturnType<typeof reportOf>>) =>
  sections.map(({ heading, paragraphs }) => [heading, ...paragraphs.map(({ text }) => text)])

test('a report on little text contains all of it', async () => {
  const cases: [said: string[][], sentences: string[]][] = [
    [[['Hello.']], ['Hello.']],
    [[['The bike lanes are too narrow for families.']], ['The bike lanes are too narrow for families.']],
    [
      [['The park is dark.', 'I like it.', 'So does my dog. So does my dog.']],
      ['The park is dark.', 'I like it.', 'So does my dog.'],
    ],
    [
      [['The library should stay open.'], ['Wider bike lanes, please.']],
      ['The library should stay open.', 'Wider bike lanes, please.'],
    ],
  ]
  for (const [said, sentences] of cases)
    assert.deepEqual(textsOf(await reportOf(sourcesOf(said))), [['', ...sentences]])
})

test('the last section has no sentence of a statement on a theme, unless it names another subject', async () => {
  const said = [
    ['The library closes at five and I work until six.', 'Please open the library in the evening.'],
    ['I read in the library every day.', 'The library needs new computers.'],
    ['I am against closing the library on Saturdays.', 'My sons learn there.'],
    ['The bus is too full for my wheelchair.', 'The driver just drives on.'],
    ['We need another bus in the morning.', 'The bus never comes on time.'],
    ['Yesterday an astronaut visited our kindergarten.'],
  ]
  const { sections } = await reportOf(sourcesOf(said))
  const sentences = sections.map(({ heading, paragraphs, quotations }) => [
    heading,
    ...[...paragraphs, ...quotations].map(({ text }) => text).toSorted(),
  ])
  assert.deepEqual(sentences, [
    ['Library', ...said.slice(0, 3).flat().toSorted()],
    ['Bus', ...said.slice(3, 5).flat().toSorted()],
    ['', ...(said[5] ?? [])],
  ])
  const [, bus] = sections
  assert.deepEqual(
    bus?.paragraphs.map(({ utterances }) => utterances[0]),
    bus?.paragraphs.map(({ utterances }) => utterances[0]).toSorted(),
    'in the order in which it was said',
  )
})

test('a theme is not a possessive phrase, whatever the language of the report', async () => {
  const said = [
    ['Het is in his power, zegt hij van de stad.'],
    ['Alles ligt in his power, zei mijn moeder.'],
    ['In his power ligt het plan van de wijk.'],
  ]
  const { sections } = await reportOf(sourcesOf(said, 'nl'), { language: 'nl' })
  assert.deepEqual(
    sections.map(({ heading }) => heading).filter((heading) => heading !== ''),
    ['Power'],
  )
  const tagged = sourcesOf(said, 'nl').map((source) => ({ ...source, tags: ['his power', 'to'] }))
  const { sections: others } = await reportOf(tagged, { language: 'nl' })
  assert.deepEqual(
    others.map(({ heading }) => heading).filter((heading) => heading !== ''),
    ['Power'],
  )
})

const MARKET = [
  ['en', 'The market is too loud in the evening.'],
  ['nl', 'De markt moet langer open blijven.'],
  ['de', 'Auf dem Wochenmarkt fehlen Bänke.'],
  ['fr', 'Le marché est une fête pour nous.'],
  ['es', 'El mercado necesita más luz.'],
  ['it', 'Il mercato chiude troppo presto.'],
] as const
const marketIn = (...languages: string[]) =>
  MARKET.filter(([language]) => languages.includes(language)).map(([language, text], at) => {
    const [source] = sourcesOf([[text]], language)
    return { ...(source as ReportSource), id: `m${at}`, utterances: [{ id: `m${at}-0`, start: 0, text }] }
  })

for (const [language, name] of [
  ['en', 'Market'],
  ['nl', 'Markt'],
  ['fr', 'Marché'],
  ['it', 'Mercato'],
] as const)
  test(`a common subject is one theme in all languages, with its name in the language of the report: ${language}`, async () => {
    const { sections } = await reportOf(marketIn('en', 'nl', 'de', 'fr', 'es', 'it'), { language })
    const [first] = sections
    assert.deepEqual([first?.heading, first?.voices?.conversations.length], [name, 6])
  })

for (const [language, speakers, name] of [
  ['en', 'en nl nl de', 'Market'],
  ['nl', 'de de nl', 'Markt'],
  ['fr', 'nl nl nl fr', 'Marché'],
  ['it', 'en en en it', 'Mercato'],
  ['es', 'de de', 'Wochenmarkt'],
  ['es', 'de de nl', 'Mercado'],
] as const)
  test(`tags in other languages do not name a theme of several languages: ${language} with ${speakers}`, async () => {
    const sources = speakers.split(' ').flatMap((speaker, at) =>
      marketIn(speaker).map((source) => ({
        ...source,
        id: `m${at}`,
        utterances: source.utterances.map((one) => ({ ...one, id: `m${at}-0` })),
        tags: [{ en: 'market', nl: 'markt', de: 'wochenmarkt', fr: 'marché', it: 'mercato' }[speaker] ?? ''],
      })),
    )
    const { sections } = await reportOf(sources, { language })
    assert.equal(sections[0]?.heading, name)
  })

for (const [language, name, ...said] of [
  ['en', 'Lamps', 'The lamps are out.', 'I am scared without light.', 'Better lighting would help me.'],
  ['es', 'Bici', 'Voy en bici al trabajo.', 'Las bicicletas van por la acera.', 'Me robaron la bici.'],
  [
    'it',
    'Lampioni',
    'I lampioni sono rotti.',
    'Ci vuole una buona illuminazione.',
    'Vorrei i lampioni accesi.',
  ],
] as const)
  test(`different words for a common subject are one theme in a report on one language: ${language}`, async () => {
    const { sections } = await reportOf(
      sourcesOf(
        said.map((text) => [text]),
        language,
      ),
      { language },
    )
    assert.deepEqual(
      sections.map(({ heading, voices }) => [heading, voices?.conversations]),
      [[name, ['c0', 'c1', 'c2']]],
    )
  })

test('a subject without a known translation has the name that most of its people use', async () => {
  const said = [
    ['nl', 'Het plein is te warm.'],
    ['nl', 'Op het plein staan geen bomen.'],
    ['de', 'Auf dem Plein fehlen Sitze.'],
  ] as const
  const sources = said.flatMap(([language, text], at) =>
    sourcesOf([[text]], language).map((source) => ({ ...source, id: `p${at}` })),
  )
  const { sections } = await reportOf(sources, { language: 'en' })
  assert.equal(sections[0]?.heading, 'Plein')
})

test('a common subject that no one names in the language of the report has its usual name', async () => {
  const { sections } = await reportOf(marketIn('nl', 'fr'), { language: 'es' })
  assert.deepEqual([sections[0]?.heading, sections[0]?.voices?.conversations], ['Mercado', ['m0', 'm1']])
})

test('includes both of two languages, which share no word', async () => {
  const conversations = [
    ...sourcesOf([['The library should stay open in the evening.']]),
    ...sourcesOf([[], ['Die Radwege sind viel zu schmal.']], 'de'),
  ]
  assert.deepEqual(textsOf(await reportOf(conversations, { language: 'de' })), [
    ['', 'The library should stay open in the evening.', 'Die Radwege sind viel zu schmal.'],
  ])
})

test('includes a conversation that shares nothing with the others', async () => {
  const loner = ['Yesterday an astronaut visited our kindergarten.']
  const many = Array.from({ length: 20 }, (_, n) => [
    `The bike lanes in district${n} are dangerous because of vans${n}.`,
    `Wider bike lanes would help family${n} and neighbour${n}.`,
  ])
  const report = await reportOf(sourcesOf([...many, loner]))
  const last = textsOf(report).at(-1)
  assert.equal(last?.[0], '')
  assert.ok(last?.includes(loner[0] ?? ''))
})

test('a report on one conversation has its title', async () => {
  const [source] = sourcesOf([['Hello there.']])
  assert.ok(source)
  assert.equal((await reportOf([{ ...source, title: 'A greeting' }])).title, 'A greeting')
})

test('keeps a given title', async () => {
  assert.equal((await reportOf(TALKS, { title: 'Our street' })).title, 'Our street')
})

const words = fc.constantFrom(
  ...'bridge school river the a market 橋 مدرسة 😀'.split(' '),
  '. ',
  '\n',
  '\ud800',
)
const anyTalk = fc.array(
  fc.array(
    fc.array(words, { maxLength: 20 }).map((list) => list.join(' ')),
    { maxLength: 6 },
  ),
  { maxLength: 5 },
)

test('every sentence is in its utterance, none occurs twice, and results are reproducible', async () => {
  await fc.assert(
    fc.asyncProperty(anyTalk, fc.option(fc.string()), async (talks, instructions) => {
      const sources = sourcesOf(talks, null)
      const progress: number[] = []
      const report = await reportOf(sources, { instructions, onProgress: (share) => progress.push(share) })
      const said = new Map(sources.flatMap(({ utterances }) => utterances).map(({ id, text }) => [id, text]))
      const seen: string[] = []
      for (const { heading, paragraphs, quotations } of report.sections) {
        assert.ok(typeof heading === 'string' && paragraphs.length + quotations.length > 0)
        for (const { text, utterances } of paragraphs) {
          assert.ok(said.get(utterances[0] ?? '')?.includes(text))
          seen.push(`${utterances[0]} ${text}`)
        }
        for (const { conversation_id, utterance, text } of quotations) {
          assert.ok(utterance.startsWith(`${conversation_id}-`) && said.get(utterance)?.includes(text))
          seen.push(`${utterance} ${text}`)
        }
      }
      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        progress,
        [...progress].sort((a, b) => a - b),
      )
      assert.deepEqual(await reportOf(sources, { instructions }), report)
    }),
    { numRuns: 200 },
  )
})

test('a sentence on a subject that one person names is not in the section of another subject', async () => {
  const { sections } = await reportOf(
    sourcesOf([
      ['We want more trees in the park.', 'The lamps in the park are broken.'],
      ['More trees in the park would be good.', 'The park is dark at night.'],
      ['No more trees in the park, please.', 'The buses are always late.'],
    ]),
  )
  const said = sections.map(({ heading, paragraphs }) => [heading, paragraphs.map(({ text }) => text)])
  assert.deepEqual(said.at(-1), ['', ['The buses are always late.']])
  assert.deepEqual(
    said.map(([heading]) => heading),
    ['Park', ''],
  )
})

/** Of three languages, one of which only one person speaks. */
const OF_TOWNS: Record<string, [name: string, ...sentences: [language: string, text: string][]]> = {
  'cycle paths': [
    'Cycle paths',
    ['en', 'We need a bike lane on Canal Street.'],
    ['nl', 'Het fietspad is te smal.'],
    ['de', 'Der Radweg muss breiter werden.'],
    ['fr', 'Il faut une piste cyclable.'],
    ['es', 'Que terminen el carril bici.'],
    ['it', 'La pista ciclabile è pericolosa.'],
  ],
  'canteen and school meals': [
    'Food',
    ['en', 'The school meals are cold.'],
    ['nl', 'De kantine is te duur.'],
    ['fr', 'La cantine est trop chère.'],
    ['de', 'Das Schulessen schmeckt nicht.'],
  ],
  fireworks: [
    'Fireworks',
    ['nl', 'Van mij mag het vuurwerk verboden worden.'],
    ['de', 'Das Feuerwerk an Silvester macht meinem Hund Angst.'],
    ['es', 'Los petardos asustan a los niños.'],
  ],
  housing: [
    'Housing',
    ['nl', 'Er moeten meer woningen komen voor jongeren.'],
    ['fr', 'Il faut des logements moins chers.'],
    ['it', 'Gli alloggi costano troppo.'],
  ],
  pool: [
    'Swimming pool',
    ['en', 'Lock the bikes at the swimming baths.'],
    ['de', 'Das Freibad muss im Mai öffnen.'],
    ['fr', 'Il ne faut pas fermer la piscine.'],
  ],
  scooters: [
    'Scooters',
    ['es', 'Los patinetes no deberían ir por la acera.'],
    ['it', 'I monopattini sono pericolosi.'],
  ],
  terraces: [
    'Terraces',
    ['nl', 'De terrassen moeten blijven.'],
    ['es', 'Que no nos quiten las terrazas.'],
    ['fr', 'Les terrasses font du bruit la nuit.'],
  ],
}
for (const [subject, [name, ...said]] of Object.entries(OF_TOWNS))
  test(`one theme with a usual name for ${subject} in several languages`, async () => {
    const sources = said.map(([language, text], at) => ({
      id: `c${at}`,
      title: null,
      participant: null,
      language,
      utterances: [{ id: `u${at}`, start: 0, text }],
    }))
    const { sections } = await reportOf(sources)
    assert.equal(sections[0]?.heading, name)
    assert.equal(sections[0]?.voices?.conversations.length, said.length)
  })

test('someone against a cycle path is not against bikes', async () => {
  const said = [
    ['de', 'Ich bin gegen den Radweg.'],
    ['nl', 'Wij willen het fietspad houden.'],
    ['fr', 'Je suis pour la piste cyclable.'],
    ['de', 'Mein Fahrrad wurde gestohlen.'],
    ['nl', 'Mijn fiets is weg.'],
    ['es', 'Quiero más bicicletas.'],
  ] as const
  const sources = said.flatMap(([language, text], at) =>
    sourcesOf([[text]], language).map((source) => ({ ...source, id: `p${at}` })),
  )
  const { sections } = await reportOf(sources)
  const sides = sections.map(({ heading, voices }) => [heading, voices?.for, voices?.against])
  assert.deepEqual(sides, [
    ['Cycle paths', ['p1', 'p2'], ['p0']],
    ['Bike', ['p5'], []],
  ])
})

/** Two people say the number, and speak about different things. */
const NUMBERS: Record<string, [name: RegExp, ...texts: string[]]> = {
  en: [/seventeen/i, 'The seventeen stops too early.', 'I wait for the seventeen.'],
  nl: [/acht/i, 'De acht rijdt niet.', 'Ik wacht op de acht.'],
  de: [/siebzehn/i, 'Die Siebzehn fährt nicht.', 'Ich warte auf die Siebzehn.'],
  fr: [/vingtième/i, 'Le vingtième ne passe pas.', 'On prend le vingtième.'],
  es: [/diecisiete/i, 'El diecisiete no pasa.', 'Espero el diecisiete.'],
  it: [/diciassette/i, 'Il diciassette non passa.', 'Aspetto il diciassette.'],
}
for (const [language, [name, ...texts]] of Object.entries(NUMBERS))
  test(`a number in words is not the name of a theme: ${language}`, async () => {
    const sources = sourcesOf(
      texts.map((text) => [text]),
      language,
    )
    const { sections } = await reportOf(sources, { language })
    for (const { heading } of sections) assert.doesNotMatch(heading, name)
  })

test('of words that are equally frequent, the usual one names a theme', async () => {
  const sources = sourcesOf(
    [
      ['Un patinete me tiró, los patinetes no deberían ir por la acera.'],
      ['Un patinete iba por los carriles de los patinetes.'],
    ],
    'es',
  )
  const { sections } = await reportOf(sources, { language: 'es' })
  assert.equal(sections[0]?.heading, 'Patinetes')
})
