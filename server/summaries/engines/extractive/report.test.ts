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
  const themes = sections.filter(({ heading }) => heading !== '')
  for (const { paragraphs, quotations } of themes) assert.ok(paragraphs.length > 0 && quotations.length > 0)
})

test('instructions decide the order', async () => {
  for (const subject of ['library', 'parking', 'bike']) {
    const { sections } = await reportOf(TALKS, { instructions: `What do people think about the ${subject}?` })
    assert.match(sections[0]?.heading ?? '', new RegExp(subject, 'i'))
  }
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
        assert.ok(typeof heading === 'string' && paragraphs.length > 0)
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
