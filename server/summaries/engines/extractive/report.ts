import { lexiconFor } from '../../../../grounding/text/lexicon.ts'
import { promptsFor } from '../../prompts/index.ts'
import { EXTRACTIVE, type ReportDraft, type ReportRequest, type ReportSection } from '../../summarizer.ts'
import { asClaim, type Passage, readPassages } from './passages.ts'
import { remainderOf } from './remainder.ts'
import { relevantPassages, selectPassages, thin } from './select.ts'
import { type Theme, themesOf } from './themes.ts'

/** For all conversations together, with a minimum for each. */
const MAX_PASSAGES = 6_000
const MIN_PER_CONVERSATION = 20
const CLAIMS = 3
const QUOTATIONS = 2
/** Inflected forms of a word share their first letters. */
const STEM = 5
const INSTRUCTION_WEIGHT = 3
const SHARE_OF_READING = 0.7

type IsRequested = (key: string) => boolean

/** Subjects that conversations share, in sentences from them. */
export async function reportByExtract(request: ReportRequest): Promise<ReportDraft> {
  const { language, conversations, signal, onProgress } = request
  const prompts = promptsFor(language)
  const talks = await readAll(request)
  const passages = talks.flatMap(relevantPassages)
  const isRequested = requestedWords(request)
  const themes = themesOf(passages, isRequested)
  const sections: ReportSection[] = []
  for (const [index, theme] of themes.entries()) {
    sections.push(await sectionOf(theme, isRequested, signal))
    onProgress(SHARE_OF_READING + ((1 - SHARE_OF_READING) * (index + 1)) / (themes.length + 1))
  }
  sections.push(...(await remainderOf(talks, { themes, sections }, signal)))
  onProgress(1)
  const [only, ...others] = conversations
  const ownTitle = others.length === 0 ? only?.title : null
  const title = ownTitle ?? themes[0]?.heading
  return {
    ...EXTRACTIVE,
    title: request.title ?? title ?? prompts.reportTitle,
    introduction:
      sections.length > 0 ? prompts.extractIntroduction(conversations.length) : prompts.nothingToReport,
    sections,
  }
}

/** The sentences of each conversation: all of a short one, the relevant ones of others. */
async function readAll({ conversations, signal, onProgress }: ReportRequest): Promise<Passage[][]> {
  const share = Math.max(MIN_PER_CONVERSATION, Math.floor(MAX_PASSAGES / conversations.length))
  const all: Passage[][] = []
  for (const [index, { id, language, utterances }] of conversations.entries()) {
    const passages = await readPassages(utterances, language, signal, id)
    const isShort = passages.length <= MIN_PER_CONVERSATION
    all.push(isShort ? passages : [...thin(relevantPassages(passages), share)])
    onProgress((SHARE_OF_READING * (index + 1)) / conversations.length)
  }
  return all
}

/** Whether a word occurs in the instructions, in any form. */
function requestedWords({ instructions, language }: ReportRequest): IsRequested {
  const terms = lexiconFor(language).terms(instructions ?? '')
  const stems = new Set(terms.flatMap((term) => (term ? term.key.slice(0, STEM) : [])))
  return (key) => stems.has(key.slice(0, STEM))
}

async function sectionOf(
  { heading, passages }: Theme,
  isRequested: IsRequested,
  signal: AbortSignal,
): Promise<ReportSection> {
  const favour = ({ keys }: Passage) =>
    1 + INSTRUCTION_WEIGHT * (keys.filter(isRequested).length / keys.length)
  const count = Math.min(CLAIMS, Math.ceil(passages.length / 2))
  const claims = await selectPassages(passages, count, signal, favour)
  const others = passages.filter((passage) => !claims.includes(passage))
  const quoted = await selectPassages(others, QUOTATIONS, signal, favour)
  return {
    heading,
    paragraphs: claims.map(asClaim),
    quotations: quoted.map(({ conversation, utterance, text }) => ({
      conversation_id: conversation,
      utterance,
      text,
    })),
  }
}
