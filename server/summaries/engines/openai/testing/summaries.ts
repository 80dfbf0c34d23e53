import type { SummarizeRequest, Utterance } from '../../../summarizer.ts'
import { createOpenAiSummarizer, type OpenAiSummarizerOptions } from '../summarizer.ts'
import type { Asked, FakeModel } from './fake-model.ts'

/** A conversation, a valid response of the model, and the summary that results from it. */
export const TALK = [
  'The bike lanes on Canal Street are too narrow.',
  'Children are afraid to ride to school.',
  'The library should stay open in the evening.',
].map((text, index): Utterance => ({ id: `id-${index}`, start: index, text }))

export const GOOD = {
  title: 'Bike lanes and the library.',
  points: [
    { text: 'The bike lanes are narrow, which frightens children.', sources: ['s1', 's2'] },
    { text: 'People want the library open in the evening.', sources: ['s3'] },
  ],
  tags: ['Bike lanes', 'library', 'library'],
}

export const SUMMARY = {
  method: 'generative',
  model: 'a-model',
  title: 'Bike lanes and the library',
  points: [
    { text: 'The bike lanes are narrow, which frightens children.', utterances: ['id-0', 'id-1'] },
    { text: 'People want the library open in the evening.', utterances: ['id-2'] },
  ],
  tags: ['bike lanes', 'library'],
}

export const utterancesOf = (count: number, textOf: (index: number) => string): Utterance[] =>
  Array.from({ length: count }, (_, index) => ({ id: `u${index}`, start: index, text: textOf(index) }))

export const summarizerOf = (fake: FakeModel, more: Partial<OpenAiSummarizerOptions> = {}) =>
  createOpenAiSummarizer({ server: fake.client(), model: 'a-model', ...more })

export const request = (more: Partial<SummarizeRequest> = {}): SummarizeRequest => ({
  language: 'en',
  utterances: TALK,
  signal: new AbortController().signal,
  ...more,
})

export const summarize = (fake: FakeModel, more: Partial<SummarizeRequest> = {}) =>
  summarizerOf(fake).summarize(request(more))

export const userOf = (asked: Asked | undefined) => asked?.json().messages[1]?.content ?? ''
export const systemOf = (asked: Asked | undefined) => asked?.json().messages[0]?.content ?? ''
export const formatOf = (asked: Asked | undefined) =>
  (asked?.json()['response_format'] as { type: string } | undefined)?.type
