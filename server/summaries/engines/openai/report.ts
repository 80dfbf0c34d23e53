import { supported, tidy } from '../../../../grounding/check-claims.ts'
import { guessLanguage, primaryLanguage } from '../../../../grounding/text/lexicon.ts'
import type { ReportDraft, ReportRequest, ReportSection, ReportSource } from '../../summarizer.ts'
import { reportByExtract } from '../extractive/report.ts'
import { type Desk, evenly, fitNotes, type Notes, type Quote, takeNotes } from './notes.ts'
import { type Line, labelled, packLines, questionOf } from './sources.ts'
import { titleFrom } from './summarize.ts'
import { reportTask } from './tasks.ts'

const MAX_WISH = 2_000
/** Of the room in the last question; notes have the rest. */
const SHARE_OF_QUOTES = 0.25
/** Of the work: reading the conversations, and merging the notes on them. */
const SHARE_OF_READING = 0.8
const SHARE_OF_MERGING = 0.9

/** Notes on each conversation, then sections from all notes. */
export async function reportByModel(
  desk: Desk,
  request: ReportRequest,
  atOnce: number,
): Promise<ReportDraft> {
  const notes = await readConversations(desk, request, atOnce)
  const room = Math.floor(desk.maxTokens * (1 - SHARE_OF_QUOTES))
  const lines = await fitNotes({ ...desk, maxTokens: room }, notes.lines)
  if (lines.length === 0) return reportByExtract(request)
  request.onProgress(SHARE_OF_MERGING)
  const quotes = evenly(notes.quotes, desk.maxTokens - room)
  const draft = await writeReport(desk, request, lines, quotes)
  // Nothing that the model wrote holds: what was said, and an introduction that tells how it was picked, take its place.
  if (draft.sections.length === 0) return reportByExtract(request)
  request.onProgress(1)
  return draft
}

async function readConversations(desk: Desk, request: ReportRequest, atOnce: number): Promise<Notes> {
  const packs = request.conversations.flatMap((source) => packLines(linesOf(source), desk.maxTokens))
  const taken: Notes[] = []
  let done = 0
  await eachOf(packs, atOnce, async (pack, index) => {
    taken[index] = await takeNotes(desk, pack)
    request.onProgress((SHARE_OF_READING * ++done) / packs.length)
  })
  return { lines: taken.flatMap(({ lines }) => lines), quotes: taken.flatMap(({ quotes }) => quotes) }
}

function linesOf({ id: conversation, language, utterances }: ReportSource): Line[] {
  const spoken =
    language === null
      ? guessLanguage(utterances.slice(0, 50).map(({ text }) => text))
      : primaryLanguage(language)
  return utterances.flatMap(({ id, text }, place) =>
    text.trim() === '' ? [] : [{ text, said: [{ id, text, language: spoken, conversation, place }] }],
  )
}

/** Several at a time; after one that failed no more are begun. */
async function eachOf<Item>(
  items: readonly Item[],
  atOnce: number,
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
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function writeReport(
  desk: Desk,
  request: ReportRequest,
  notes: readonly Line[],
  quotes: readonly Quote[],
): Promise<ReportDraft> {
  const { chat, prompts, language, signal } = desk
  const answer = await chat.ask(
    questionOf(reportTask, instructionOf(desk, request), prompts, materialOf(request, notes, quotes)),
    signal,
  )
  const said = notes.flatMap((line) => line.said)
  const counted = [request.conversations.length]
  const [introduction] = supported([answer.introduction], notes, language, counted)
  const left = new Map(quotes.map((quote, index) => [`q${index + 1}`, quote]))
  return {
    ...desk.written,
    title: request.title ?? (titleFrom(answer.title, said, language) || prompts.reportTitle),
    introduction: introduction?.text ?? prompts.introduction(request.conversations.length),
    sections: answer.sections.flatMap(({ heading, paragraphs, quotations }) => {
      const claims = supported(paragraphs, notes, language, counted)
      if (claims.length === 0) return []
      return [sectionOf(headingFrom(heading, claims, language), claims, take(left, quotations))]
    }),
  }
}

/** What the host asked for is theirs to ask, but no more than a wish: the rules above stay. */
const instructionOf = ({ prompts }: Desk, { instructions }: ReportRequest): string =>
  instructions ? `${prompts.report}\n${prompts.wish} ${tidy(instructions, MAX_WISH)}` : prompts.report

function materialOf(
  { conversations }: ReportRequest,
  notes: readonly Line[],
  quotes: readonly Quote[],
): string[] {
  const numbers = new Map(conversations.map(({ id }, index) => [id, index + 1]))
  const from = ({ text, said }: Line) =>
    `${[...new Set(said.map(({ conversation }) => `#${numbers.get(conversation)}`))].join(' ')}: ${text}`
  return [
    ...labelled('s', notes.map(from)),
    ...labelled(
      'q',
      quotes.map(({ text, said }) => from({ text: `“${text}”`, said: [said] })),
    ),
  ]
}

/** A heading names no lines: it is held to those of its section, and gives way to their beginning. */
function headingFrom(heading: string, claims: readonly Line[], language: string | null): string {
  const said = claims.flatMap((claim) => claim.said)
  return titleFrom(heading, said, language) || titleFrom(claims[0]?.text ?? '', said, language)
}

/** No quotation stands in two sections. */
function take(left: Map<string, Quote>, labels: readonly string[]): Quote[] {
  return labels.flatMap((label) => {
    const quote = left.get(label)
    left.delete(label)
    return quote ?? []
  })
}

const sectionOf = (heading: string, claims: readonly Line[], quotes: readonly Quote[]): ReportSection => ({
  heading,
  paragraphs: claims.map(({ text, said }) => ({ text, utterances: said.map(({ id }) => id) })),
  quotations: quotes.map(({ text, said }) => ({
    conversation_id: said.conversation,
    utterance: said.id,
    text,
  })),
})
