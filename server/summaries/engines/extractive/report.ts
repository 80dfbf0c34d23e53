import { lexiconFor } from '../../../../grounding/text/lexicon.ts'
import { promptsFor } from '../../prompts/index.ts'
import {
  EXTRACTIVE,
  type Quotation,
  type ReportDraft,
  type ReportRequest,
  type ReportSection,
} from '../../summarizer.ts'
import { keywordsOf } from './keywords.ts'
import { type Passage, readPassages } from './passages.ts'
import { remainderOf } from './remainder.ts'
import { selectPassages, thin, worthSaying } from './select.ts'
import { type Theme, themesOf } from './themes.ts'
import { titleOf } from './title.ts'

/** Of all conversations together, shared out among them; but so many of each at least. */
const MAX_PASSAGES = 6_000
const MIN_PER_CONVERSATION = 20
const CLAIMS = 3
const QUOTATIONS = 2
/** Inflected words share their beginning. */
const STEM = 5
const WISH_WEIGHT = 3
const SHARE_OF_READING = 0.7

type IsWished = (key: string) => boolean

/** What several conversations share, in sentences that were picked from them. */
export async function reportByExtract(request: ReportRequest): Promise<ReportDraft> {
  const { language, conversations, signal, onProgress } = request
  const prompts = promptsFor(language)
  const talks = await readAll(request)
  const passages = talks.flatMap(worthSaying)
  const isWished = wishOf(request)
  const themes = themesOf(passages, isWished)
  const sections: ReportSection[] = []
  for (const [index, theme] of themes.entries()) {
    sections.push(await sectionOf(theme, isWished, signal))
    onProgress(SHARE_OF_READING + ((1 - SHARE_OF_READING) * (index + 1)) / (themes.length + 1))
  }
  sections.push(...(await remainderOf(talks, { themes, sections }, signal)))
  onProgress(1)
  const [only, ...others] = conversations
  const ownTitle = others.length === 0 ? only?.title : null
  const title = ownTitle ?? titleOf(keywordsOf(passages, CLAIMS), []) ?? themes[0]?.heading
  return {
    ...EXTRACTIVE,
    title: request.title ?? title ?? prompts.reportTitle,
    introduction:
      sections.length > 0 ? prompts.extractIntroduction(conversations.length) : prompts.nothingToReport,
    sections,
  }
}

/** What was said in each conversation: all of the short ones, of the others what is worth saying. */
async function readAll({ conversations, signal, onProgress }: ReportRequest): Promise<Passage[][]> {
  const share = Math.max(MIN_PER_CONVERSATION, Math.floor(MAX_PASSAGES / conversations.length))
  const all: Passage[][] = []
  for (const [index, { id, language, utterances }] of conversations.entries()) {
    const passages = await readPassages(utterances, language, signal, id)
    all.push(passages.length <= MIN_PER_CONVERSATION ? passages : [...thin(worthSaying(passages), share)])
    onProgress((SHARE_OF_READING * (index + 1)) / conversations.length)
  }
  return all
}

/** Whether a word is one of the instructions', in any of its forms. */
function wishOf({ instructions, language }: ReportRequest): IsWished {
  const terms = lexiconFor(language).terms(instructions ?? '')
  const stems = new Set(terms.flatMap((term) => (term ? term.key.slice(0, STEM) : [])))
  return (key) => stems.has(key.slice(0, STEM))
}

async function sectionOf(
  { heading, passages }: Theme,
  isWished: IsWished,
  signal: AbortSignal,
): Promise<ReportSection> {
  const favour = ({ keys }: Passage) => 1 + WISH_WEIGHT * (keys.filter(isWished).length / keys.length)
  const claims = await selectPassages(
    passages,
    Math.min(CLAIMS, Math.ceil(passages.length / 2)),
    signal,
    favour,
  )
  const others = passages.filter((passage) => !claims.includes(passage))
  const quoted = await selectPassages(others, QUOTATIONS, signal, favour)
  return {
    heading,
    paragraphs: claims.map(({ text, utterance }) => ({ text, utterances: [utterance] })),
    quotations: quoted.map(asQuotation),
  }
}

const asQuotation = ({ conversation, utterance, text }: Passage): Quotation => ({
  conversation_id: conversation,
  utterance,
  text,
})
