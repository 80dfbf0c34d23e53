import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ReportRequest } from '../../summarizer.ts'
import { createOpenAiSummarizer } from './summarizer.ts'
import { type Asked, type FakeModel, type ModelHandler, reply, say, start } from './testing/fake-model.ts'

const CONVERSATIONS = [
  ['The bike lanes are too narrow. I would never cycle there with my children!', 'The market is loud.'],
  ['More bike lanes, please.', 'The library closes too early; students have no quiet place.'],
].map((texts, index) => ({
  id: `c${index}`,
  title: null,
  participant: null,
  language: 'en',
  utterances: texts.map((text, place) => ({ id: `c${index}-${place}`, start: place, text })),
}))

const request = (more: Partial<ReportRequest> = {}): ReportRequest => ({
  title: null,
  language: 'en',
  instructions: null,
  conversations: CONVERSATIONS,
  signal: new AbortController().signal,
  onProgress: () => {},
  ...more,
})

const contentOf = (asked: Asked, index: number) => asked.json().messages[index]?.content ?? ''
const isLast = (asked: Asked) => contentOf(asked, 0).includes('"sections"')

const startWith = (t: TestContext, notes: object, report: object): Promise<FakeModel> =>
  start(t, (response, asked) => reply(isLast(asked) ? report : notes)(response, asked))

const reportOf = (fake: FakeModel, more: Partial<ReportRequest> = {}) =>
  createOpenAiSummarizer({ server: fake.client(), model: 'a-model', concurrency: 1 }).report(request(more))

const NOTES = {
  notes: [{ text: 'Someone speaks of bike lanes.', sources: ['s1'] }],
  quotations: [
    { text: 'i would NEVER cycle there with my children', sources: ['s1'] },
    { text: 'never cycle there', sources: ['s1'] },
    { text: 'I would always cycle there', sources: ['s1'] },
    { text: 'students have no quiet place', sources: ['s2'] },
    { text: 'The market is loud.', sources: ['s1'] },
  ],
}
const REPORT = {
  title: 'Bike lanes',
  introduction: { text: 'Both conversations want better bike lanes.', sources: ['s1', 's2'] },
  sections: [
    {
      heading: 'Bike lanes',
      paragraphs: [
        { text: 'Everybody wants wider bike lanes.', sources: ['s1', 's2'] },
        { text: 'The mayor will build bike lanes.', sources: ['s7'] },
      ],
      quotations: ['q1', 'q3', 'q9'],
    },
    { heading: 'Invented', paragraphs: [{ text: 'War is coming.', sources: ['s1'] }], quotations: ['q2'] },
    {
      heading: 'Again',
      paragraphs: [{ text: 'Bike lanes once more.', sources: ['s2'] }],
      quotations: ['q1'],
    },
  ],
}

test('checks all claims and quotations of a report', async (t) => {
  const fake = await startWith(t, NOTES, REPORT)
  const progress: number[] = []
  const draft = await reportOf(fake, { onProgress: (share) => progress.push(share) })
  assert.deepEqual(draft, {
    method: 'generative',
    model: 'a-model',
    title: 'Bike lanes',
    introduction: 'Both conversations want better bike lanes.',
    sections: [
      {
        heading: 'Bike lanes',
        paragraphs: [{ text: 'Everybody wants wider bike lanes.', utterances: ['c0-0', 'c1-0'] }],
        quotations: [
          { conversation_id: 'c0', utterance: 'c0-0', text: 'I would never cycle there with my children!' },
          {
            conversation_id: 'c1',
            utterance: 'c1-1',
            text: 'The library closes too early; students have no quiet place.',
          },
        ],
      },
      // No source supports its heading, so the claim becomes the heading.
      {
        heading: 'Bike lanes once more',
        paragraphs: [{ text: 'Bike lanes once more.', utterances: ['c1-0'] }],
        quotations: [],
      },
    ],
  })
  assert.deepEqual(
    progress,
    [...progress].sort((a, b) => a - b),
  )
  assert.equal(progress.at(-1), 1)
  assert.ok(progress.length >= 4)
})

test('the last prompt has the notes and quotations of all conversations by number, and the host’s instructions', async (t) => {
  const fake = await startWith(t, NOTES, REPORT)
  await reportOf(fake, { instructions: 'What about\nparking?' })
  const last = fake.asked.find(isLast)
  assert.ok(last)
  assert.match(contentOf(last, 0), /What about parking\?/)
  assert.match(contentOf(last, 1), /^\[s1\] #1: Someone speaks of bike lanes\.$/m)
  assert.match(contentOf(last, 1), /^\[s2\] #2: Someone speaks of bike lanes\.$/m)
  assert.match(contentOf(last, 1), /^\[q1\] #1: “I would never cycle there with my children!”$/m)
})

const HEADINGS: readonly [heading: string, isKept: boolean][] = [
  ['Bike lanes', true],
  ['Wider bike lanes for everybody', true],
  ['Concerns about bike lanes', true],
  ['Bike lanes and bribes of the mayor', false],
  ['The mayor took bribes for lanes', false],
]
for (const [heading, isKept] of HEADINGS)
  test(`${isKept ? 'keeps' : 'drops'} the heading and title “${heading}”, which the model supports`, async (t) => {
    const section = { ...REPORT.sections[0], heading }
    const draft = await reportOf(
      await startWith(t, NOTES, { ...REPORT, title: heading, sections: [section] }),
    )
    assert.equal(draft.sections[0]?.heading, isKept ? heading : 'Everybody wants wider bike lanes')
    assert.equal(draft.title === heading, isKept)
  })

test('a claim that becomes a heading ends with an ellipsis if it is too long', async (t) => {
  const text =
    'The owner of the hardware shop at the market says that he needs more bike lanes there for all of his customers.'
  const fake = await startWith(t, NOTES, {
    ...REPORT,
    sections: [{ heading: 'Invented', paragraphs: [{ text, sources: ['s1', 's2'] }], quotations: [] }],
  })
  const [section] = (await reportOf(fake)).sections
  assert.equal(section?.heading, 'The owner of the hardware shop at the market says that he needs more bike…')
})

test('falls back to an extract that says so if nothing is supported', async (t) => {
  const fake = await startWith(t, NOTES, { ...REPORT, sections: REPORT.sections.slice(1, 2) })
  const draft = await reportOf(fake, { title: 'Ours' })
  assert.equal(draft.title, 'Ours')
  assert.match(draft.introduction, /automatic extract of 2 conversations/)
  assert.deepEqual([draft.method, draft.model], ['extractive', null])
})

test('replaces an unsupported introduction by a standard one', async (t) => {
  const fake = await startWith(t, NOTES, {
    ...REPORT,
    introduction: { text: 'All is well.', sources: ['s55'] },
  })
  assert.match((await reportOf(fake)).introduction, /written by a language model from 2 conversations/)
})

test('does not compare words of two languages', async (t) => {
  const report = {
    ...REPORT,
    title: 'Radwege',
    sections: [
      {
        heading: 'Radwege',
        paragraphs: [{ text: 'Alle wollen breitere Radwege.', sources: ['s1'] }],
        quotations: [],
      },
    ],
  }
  const notes = { notes: [{ text: 'Jemand spricht über Radwege.', sources: ['s1'] }], quotations: [] }
  const draft = await reportOf(await startWith(t, notes, report), { language: 'de' })
  assert.deepEqual([draft.title, draft.sections[0]?.heading], ['Radwege', 'Radwege'])
})

test('a failed request ends the report without further requests', async (t) => {
  const held = Promise.withResolvers<() => void>()
  const first: ModelHandler = (response, asked) => held.resolve(() => reply(NOTES)(response, asked))
  const fake = await start(t, first, say(500, ''))
  const conversations = Array.from({ length: 20 }, () => CONVERSATIONS).flat()
  const server = fake.client()
  const summarizer = createOpenAiSummarizer({ server, model: 'a-model', concurrency: 2 })
  await assert.rejects(summarizer.report(request({ conversations })), { code: 'unavailable' })
  const release = await held.promise
  release()
  // A further request of the report would arrive before these two.
  for (let n = 0; n < 2; n++)
    await fake
      .client()
      .post('/ping', {}, new AbortController().signal)
      .catch(() => {})
  assert.equal(fake.asked.filter(({ path }) => path !== '/v1/ping').length, 2)
})

test('an abort ends the report', async (t) => {
  const stop = new AbortController()
  const fake = await start(t, (response, asked) => {
    stop.abort(new Error('stopped'))
    return reply(NOTES)(response, asked)
  })
  await assert.rejects(reportOf(fake, { signal: stop.signal }), { message: 'stopped' })
})
