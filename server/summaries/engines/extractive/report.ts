import { lexiconFor, localeOf } from '../../../../grounding/text/lexicon.ts'
import { promptsFor } from '../../prompts/index.ts'
import { EXTRACTIVE, type ReportDraft, type ReportRequest } from '../../summarizer.ts'
import { markUnclear } from '../../unclear-words.ts'
import { type Passage, readPassages } from './passages.ts'
import { type Written, withRemainder } from './remainder.ts'
import { sectionOf } from './sections.ts'
import { relevantPassages, thin } from './select.ts'
import { subjectTagsOf } from './subject-tags.ts'
import { type Theme, themesOf } from './themes.ts'
import { tagsIn, unitsOf, type Vocabulary, withTags } from './units.ts'
import { joinPhrases } from './words/phrases.ts'

/** For all conversations together, with a minimum for each. */
const MAX_PASSAGES = 6_000
const MIN_PER_CONVERSATION = 20
const SHARE_OF_READING = 0.7
/** Themes in the title of a report without its own title. */
const TITLE_THEMES = 3

/** Subjects that conversations share, in sentences from them. */
export async function reportByExtract(request: ReportRequest): Promise<ReportDraft> {
  const { language, conversations, signal, onProgress } = request
  const prompts = promptsFor(language)
  const { talks, join } = joinPhrases(await readAll(request))
  const { units, rootOf } = unitsOf(talks)
  const tags = subjectTagsOf(units, { rootOf, join }, tagsIn(conversations))
  const isRequested = requestedWords(request, { rootOf, join })
  const vocabulary = { language: localeOf(language), rootOf, tagsOf: tags.namesOf, join }
  const themes = themesOf(withTags(units, tags.rootsOf), vocabulary, isRequested)
  const written: Written[] = []
  for (const [index, theme] of themes.entries()) {
    written.push({ theme, section: await sectionOf(theme, rootOf, isRequested, signal) })
    onProgress(SHARE_OF_READING + ((1 - SHARE_OF_READING) * (index + 1)) / (themes.length + 1))
  }
  const rankOf = ({ theme, section: { voices } }: Written): number[] => [
    Number(isRequested(theme.root)),
    voices?.conversations.length ?? 0,
    Number(theme.passages.some(({ concern }) => concern.asks || concern.objects)),
  ]
  // Subjects that the host asked for come first, then those of most people. Of equals, those for which someone asks for something.
  const ranked = written.toSorted((a, b) => compareRanks(rankOf(b), rankOf(a)))
  const sections = await withRemainder(talks, ranked, rootOf, signal)
  onProgress(1)
  const [only, ...others] = conversations
  const ownTitle = others.length === 0 ? only?.title : null
  const draft = {
    ...EXTRACTIVE,
    title:
      request.title ??
      ownTitle ??
      (titleFrom(
        ranked.map(({ theme }) => theme),
        language,
      ) ||
        prompts.reportTitle),
    introduction:
      sections.length > 0 ? prompts.extractIntroduction(conversations.length) : prompts.nothingToReport,
    sections,
  }
  return markUnclear(draft, conversations)
}

const compareRanks = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0

/** "Bike lanes, library and parking". */
function titleFrom(themes: readonly Theme[], language: string): string {
  const [first, ...others] = themes.slice(0, TITLE_THEMES).map(({ heading }) => heading)
  if (first === undefined) return ''
  const rest = others.map((name) => (language.startsWith('de') ? name : name.toLowerCase()))
  return listFor(language).format([first, ...rest])
}

const listFor = (language: string): Intl.ListFormat => {
  const [locale = 'en'] = supported(language)
  return new Intl.ListFormat(locale, { type: 'conjunction' })
}

function supported(language: string): string[] {
  try {
    return Intl.ListFormat.supportedLocalesOf(language)
  } catch {
    return []
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
function requestedWords(
  { instructions, language }: ReportRequest,
  { rootOf, join }: Pick<Vocabulary, 'rootOf' | 'join'>,
): (root: string) => boolean {
  const { locale, terms } = lexiconFor(language)
  const keys = terms(instructions ?? '').flatMap((term) => term?.key ?? [])
  const roots = new Set(join(keys, locale).map((key) => rootOf(key, locale)))
  return (root) => roots.has(root)
}
