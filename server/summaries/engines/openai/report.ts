import { cleanText, supportedStatements } from '../../../../grounding/check-claims.ts'
import { guessLanguage } from '../../../../grounding/text/lexicon.ts'
import type { SourceLine } from '../../../../grounding/types.ts'
import { primaryLanguage } from '../../../../platform/language-tag.ts'
import type { Quotation, ReportDraft, ReportRequest, ReportSource } from '../../summarizer.ts'
import { reportByExtract } from '../extractive/report.ts'
import { fitNotes, type Notes, type Quote, type SummaryContext, sampleEvenly, takeNotes } from './notes.ts'
import { labelLines, packLines, promptOf } from './sources.ts'
import { titleFrom, toClaim } from './summarize.ts'
import { reportTask } from './tasks.ts'

const MAX_INSTRUCTIONS = 2_000
/** Of the tokens in the last prompt; notes get the rest. */
const SHARE_OF_QUOTES = 0.25
/** Progress after the conversations are read, and after their notes are merged. */
const SHARE_OF_READING = 0.8
const SHARE_OF_MERGING = 0.9

/** Takes notes on each conversation, then writes sections from all notes. */
export async function reportByModel(
  context: SummaryContext,
  request: ReportRequest,
  concurrency: number,
): Promise<ReportDraft> {
  const notes = await readConversations(context, request, concurrency)
  const noteTokens = Math.floor(context.maxTokens * (1 - SHARE_OF_QUOTES))
  const lines = await fitNotes({ ...context, maxTokens: noteTokens }, notes.lines)
  if (lines.length === 0) return reportByExtract(request)
  request.onProgress(SHARE_OF_MERGING)
  const quotes = sampleEvenly(notes.quotes, context.maxTokens - noteTokens)
  const draft = await writeReport(context, request, lines, quotes)
  // No section of the model is supported: the report becomes an extract, and its introduction says so.
  if (draft.sections.length === 0) return reportByExtract(request)
  request.onProgress(1)
  return draft
}

async function readConversations(
  context: SummaryContext,
  request: ReportRequest,
  concurrency: number,
): Promise<Notes> {
  const batches = request.conversations.flatMap((source) => packLines(linesOf(source), context.maxTokens))
  const taken: Notes[] = []
  let done = 0
  await forEachConcurrently(batches, concurrency, async (batch, index) => {
    taken[index] = await takeNotes(context, batch)
    request.onProgress((SHARE_OF_READING * ++done) / batches.length)
  })
  return { lines: taken.flatMap(({ lines }) => lines), quotes: taken.flatMap(({ quotes }) => quotes) }
}

function linesOf({ id: conversation, language: given, utterances }: ReportSource): SourceLine[] {
  const language =
    given === null ? guessLanguage(utterances.slice(0, 50).map(({ text }) => text)) : primaryLanguage(given)
  return utterances.flatMap(({ id, text }, position) =>
    text.trim() === '' ? [] : [{ text, evidence: [{ id, text, language, conversation, position }] }],
  )
}

/** Starts no more items after one has failed. */
async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let rest = [...items.entries()]
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift())
      await work(next[1], next[0]).catch((error: unknown) => {
        rest = []
        throw error
      })
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
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
  const evidence = notes.flatMap((line) => line.evidence)
  const counted = [request.conversations.length]
  const [introduction] = supportedStatements([draft.introduction], notes, language, counted)
  const unused = new Map(quotes.map((quote, index) => [`q${index + 1}`, quote]))
  return {
    ...provenance,
    title: request.title ?? (titleFrom(draft.title, evidence, language) || prompts.reportTitle),
    introduction: introduction?.text ?? prompts.introduction(request.conversations.length),
    sections: draft.sections.flatMap(({ heading, paragraphs, quotations }) => {
      const claims = supportedStatements(paragraphs, notes, language, counted)
      if (claims.length === 0) return []
      return [
        {
          heading: headingFrom(heading, claims, language),
          paragraphs: claims.map(toClaim),
          quotations: takeQuotes(unused, quotations),
        },
      ]
    }),
  }
}

/** The host's instructions say what the report is about. They cannot override the rules. */
const instructionOf = ({ prompts }: SummaryContext, { instructions }: ReportRequest): string =>
  instructions
    ? `${prompts.report}\n${prompts.audience} ${cleanText(instructions, MAX_INSTRUCTIONS)}`
    : prompts.report

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

/** A heading names no sources. It is checked against those of its section, and else replaced by the beginning of the section. */
function headingFrom(heading: string, claims: readonly SourceLine[], language: string | null): string {
  const evidence = claims.flatMap((claim) => claim.evidence)
  return titleFrom(heading, evidence, language) || titleFrom(claims[0]?.text ?? '', evidence, language)
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
