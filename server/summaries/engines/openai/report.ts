import { cleanText, supportedStatements } from '../../../../grounding/check-claims.ts'
import type { Evidence, SourceLine, Statement } from '../../../../grounding/types.ts'
import type { Quotation, ReportDraft, ReportRequest } from '../../summarizer.ts'
import { markUnclear } from '../../unclear-words.ts'
import { reportByExtract } from '../extractive/report.ts'
import { isHeadingGrounded } from './headings.ts'
import { fitNotes, type Quote, type SummaryContext, sampleEvenly } from './notes.ts'
import { readConversations } from './read-conversations.ts'
import { labelLines, promptOf } from './sources.ts'
import { titleFrom, toClaim } from './summarize.ts'
import { reportTask } from './tasks.ts'
import { areSupported, type Claimed } from './verify.ts'

const MAX_INSTRUCTIONS = 2_000
const MAX_HEADING_SOURCES = 12
/** The share of quotations in the tokens of the last prompt; notes get the rest. */
const SHARE_OF_QUOTES = 0.25
/** Progress after the conversations are read, after their notes are merged, and after the report is written. */
const SHARE_OF_READING = 0.7
const SHARE_OF_MERGING = 0.8
const SHARE_OF_WRITING = 0.9
const UNSUPPORTED = { fallback: 'unsupported' } as const

/** Takes notes on each conversation, writes sections from all notes, and keeps the claims that the transcripts support. */
export async function reportByModel(context: SummaryContext, request: ReportRequest): Promise<ReportDraft> {
  const notes = await readConversations(context, request, (share) =>
    request.onProgress(SHARE_OF_READING * share),
  )
  const noteTokens = Math.floor(context.maxTokens * (1 - SHARE_OF_QUOTES))
  const lines = await fitNotes({ ...context, maxTokens: noteTokens }, notes.lines)
  if (lines.length === 0) return { ...(await reportByExtract(request)), ...UNSUPPORTED }
  request.onProgress(SHARE_OF_MERGING)
  const quotes = sampleEvenly(notes.quotes, context.maxTokens - noteTokens)
  const draft = await writeReport(context, request, lines, quotes)
  // No section of the model is supported: the report becomes an extract, and its introduction says so.
  if (draft.sections.length === 0) return { ...(await reportByExtract(request)), ...UNSUPPORTED }
  request.onProgress(1)
  return markUnclear(draft, request.conversations)
}

async function writeReport(
  context: SummaryContext,
  request: ReportRequest,
  notes: readonly SourceLine[],
  quotes: readonly Quote[],
): Promise<ReportDraft> {
  const { chat, prompts, language, signal, provenance } = context
  const sources = sourcesOf(request, notes, quotes)
  const draft = await chat.ask(
    promptOf(reportTask, instructionOf(context, request), prompts, sources),
    signal,
  )
  request.onProgress(SHARE_OF_WRITING)
  const numberOf = new Map(request.conversations.map(({ id }, index) => [id, index + 1]))
  const plausible = (statements: readonly Statement[]): SourceLine[] =>
    supportedStatements(statements, notes, language, request.conversations.length).filter((claim) =>
      areConversationsRight(claim, numberOf),
    )
  const sections = draft.sections.map(({ heading, paragraphs, quotations }) => {
    const claims = plausible(paragraphs)
    return { heading: headingOf(heading, claims, language), claims, quotations }
  })
  const claims = sections.flatMap((section) => section.claims)
  const title = headingOf(request.title === null ? draft.title : '', claims, language)
  const [introduction = null] = plausible([draft.introduction])
  const isKept = await verified(context, [
    introduction,
    title,
    ...sections.flatMap(({ heading }) => heading),
    ...claims,
  ])
  const keptClaims = claims.filter(isKept)
  const isGrounded = (line: Claimed | null, under: readonly SourceLine[]): line is Claimed =>
    isKept(line) && isHeadingGrounded(line, under, language)
  const unused = new Map(quotes.map((quote, index) => [`q${index + 1}`, quote]))
  return {
    ...provenance,
    title: request.title ?? (isGrounded(title, keptClaims) ? title.text : prompts.reportTitle),
    introduction: isKept(introduction)
      ? introduction.text
      : prompts.introduction(request.conversations.length),
    sections: sections.flatMap(({ heading, claims, quotations }) => {
      const kept = claims.filter(isKept)
      const [first] = kept
      if (!first) return []
      return [
        {
          heading: isGrounded(heading, kept) ? heading.text : titleFrom(first.text, first.evidence, language),
          paragraphs: kept.map(toClaim),
          quotations: takeQuotes(unused, quotations),
        },
      ]
    }),
  }
}

/** Asks about all claims and headings in as few requests as possible. */
async function verified(context: SummaryContext, lines: readonly (SourceLine | Claimed | null)[]) {
  const claims = lines.flatMap((line) => line ?? [])
  const supported = await areSupported(
    context,
    claims.map((line) => ({ kind: 'claim', ...line })),
  )
  const kept = new Set(claims.filter((_, index) => supported[index]))
  return <Line extends SourceLine>(line: Line | null): line is Line => line !== null && kept.has(line)
}

/** A heading names no sources: it gets those of its section. Null if they do not share a word with it. */
function headingOf(heading: string, claims: readonly SourceLine[], language: string | null): Claimed | null {
  const evidence = claims.flatMap((claim) => claim.evidence)
  const text = titleFrom(heading, evidence, language)
  return text === '' ? null : { kind: 'heading', text, evidence: spread(evidence) }
}

/** Takes evidence from all parts of the section or report: a title is also about the last claim. */
function spread(evidence: readonly Evidence[]): Evidence[] {
  const distinct = [...new Map(evidence.map((one) => [one.id, one])).values()]
  const step = Math.max(1, distinct.length / MAX_HEADING_SOURCES)
  return distinct.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

/** Whether all conversations that a claim names ("#3") are among its sources. A person can have said "bus #3", too. */
const areConversationsRight = (
  { text, evidence }: SourceLine,
  numberOf: ReadonlyMap<string, number>,
): boolean => {
  const cited = new Set(evidence.map(({ conversation }) => `#${numberOf.get(conversation)}`))
  const said = new Set(evidence.flatMap((one) => one.text.match(/#\d+/g) ?? []))
  return (text.match(/#\d+/g) ?? []).every((name) => cited.has(name) || said.has(name))
}

/** The host's instructions say what the report is about. They cannot override the rules. */
const instructionOf = ({ prompts }: SummaryContext, { instructions }: ReportRequest): string =>
  [
    prompts.report,
    prompts.noCounts,
    ...(instructions ? [`${prompts.audience} ${cleanText(instructions, MAX_INSTRUCTIONS)}`] : []),
  ].join('\n')

function sourcesOf(
  { conversations }: ReportRequest,
  notes: readonly SourceLine[],
  quotes: readonly Quote[],
): string[] {
  const numbers = new Map(conversations.map(({ id }, index) => [id, index + 1]))
  const withConversations = ({ text, evidence }: SourceLine) => {
    const origins = new Set(evidence.map(({ conversation }) => `#${numbers.get(conversation)}`))
    return { text: `${[...origins].join(' ')}: ${text}` }
  }
  const quoted = quotes.map(({ text, evidence }) => ({ text: `“${text}”`, evidence: [evidence] }))
  return [...labelLines(notes.map(withConversations)), ...labelLines(quoted.map(withConversations), 'q')]
}

/** Removes the quotes, so that none appears in two sections. */
const takeQuotes = (unused: Map<string, Quote>, labels: readonly string[]): Quotation[] =>
  labels.flatMap((label) => {
    const quote = unused.get(label)
    unused.delete(label)
    if (!quote) return []
    const { text, evidence } = quote
    return { conversation_id: evidence.conversation, utterance: evidence.id, text }
  })
