import { isSupported } from '../../../../grounding/check-claims.ts'
import { guessLanguage } from '../../../../grounding/text/lexicon.ts'
import type { SourceLine } from '../../../../grounding/types.ts'
import { primaryLanguage } from '../../../engines/language-tag.ts'
import type { ReportRequest, ReportSource } from '../../summarizer.ts'
import { NoResult } from './chat.ts'
import { forEachConcurrently } from './concurrently.ts'
import { fromKept, keyOf, toKept } from './kept-notes.ts'
import { type Notes, type SummaryContext, takeNotes } from './notes.ts'
import { labelLines, packLines, tokensOf } from './sources.ts'

/** A conversation of which notes are to be taken. Long ones are read in several parts. */
interface Reading {
  source: ReportSource
  lines: SourceLine[]
  parts: SourceLine[][]
  /** By part. */
  notes: Notes[]
}

/** One request: parts of different conversations, or one part. */
type Unit = { reading: Reading; part: number }[]

/** Conversations in one request. Their notes must fit into one response. */
const MAX_PACKED = 6
/** Longer conversations get a request of their own, with more notes. */
const MAX_PACKED_TOKENS = 600

/** Takes notes on all conversations. Notes of an earlier report are used again, and short conversations share a request. */
export async function readConversations(
  context: SummaryContext,
  request: ReportRequest,
  onProgress: (share: number) => void,
): Promise<Notes> {
  const keys = new Map(request.conversations.map((source) => [source.id, keyOf(context, source)]))
  const kept = (await request.notes?.load(keys)) ?? new Map()
  const readings = request.conversations.map((source): Reading => {
    const lines = linesOf(source)
    const found = kept.get(source.id)
    if (found) return { source, lines, parts: [], notes: [fromKept(found, lines)] }
    return { source, lines, parts: packLines(lines, context.maxTokens), notes: [] }
  })
  const units = packUnits(readings, context.maxTokens)
  let done = 0
  const readAndSave = async (unit: Unit): Promise<void> => {
    await readUnit(context, unit)
    for (const { reading } of unit) await save(reading)
  }
  const save = async ({ source, parts, notes, lines }: Reading): Promise<void> => {
    const all = joined(notes)
    if (all.lines.length > 0 && parts.every((_, part) => notes[part]))
      await request.notes?.save(source.id, keys.get(source.id) ?? '', toKept(all, lines))
  }
  await forEachConcurrently(units, context.concurrency, async (unit) => {
    await readAndSave(unit)
    onProgress(++done / units.length)
  })
  // No conversation must be lost because the model skipped it in a shared request.
  const skipped = units.flat().filter(({ reading, part }) => !reading.notes[part])
  await forEachConcurrently(skipped, context.concurrency, (one) => readAndSave([one]))
  return joined(readings.flatMap(({ notes }) => notes))
}

const joined = (notes: readonly Notes[]): Notes => ({
  lines: notes.flatMap(({ lines }) => lines),
  quotes: notes.flatMap(({ quotes }) => quotes),
})

function linesOf({ id: conversation, language: given, participant, utterances }: ReportSource): SourceLine[] {
  const language =
    given === null ? guessLanguage(utterances.slice(0, 50).map(({ text }) => text)) : primaryLanguage(given)
  return utterances.flatMap(({ id, text }, position) => {
    const evidence = { id, text, language, conversation, position, speaker: participant }
    return text.trim() === '' ? [] : [{ text, evidence: [evidence] }]
  })
}

function packUnits(readings: readonly Reading[], maxTokens: number): Unit[] {
  const units: Unit[] = []
  let shared: Unit = []
  let left = 0
  for (const reading of readings) {
    const tokens = reading.parts.flat().reduce((sum, line) => sum + tokensOf(line), 0)
    if (reading.parts.length !== 1 || tokens > Math.min(MAX_PACKED_TOKENS, maxTokens)) {
      units.push(...reading.parts.map((_, part) => [{ reading, part }]))
      continue
    }
    if (tokens > left || shared.length === MAX_PACKED) {
      shared = []
      units.push(shared)
      left = maxTokens
    }
    shared.push({ reading, part: 0 })
    left -= tokens
  }
  return units
}

async function readUnit(context: SummaryContext, unit: Unit): Promise<void> {
  const [first, ...others] = unit
  if (others.length > 0) return readShared(context, unit)
  if (first) first.reading.notes[first.part] = await takeNotes(context, first.reading.parts[first.part] ?? [])
}

async function readShared(context: SummaryContext, unit: Unit): Promise<void> {
  const lines = unit.flatMap(({ reading }) => reading.lines)
  const numbered = unit.flatMap(({ reading }, index) =>
    reading.lines.map(({ text }) => ({ text: `#${index + 1}: ${text}` })),
  )
  const notes = await takeNotes(context, lines, labelLines(numbered)).catch((error: unknown) => {
    // The response can be too long for the model: each conversation is then read alone.
    if (error instanceof NoResult) return { lines: [], quotes: [] }
    throw error
  })
  for (const { reading, part } of unit) {
    const own = notesOf(notes, reading.source.id, context.language)
    if (own.lines.length > 0) reading.notes[part] = own
  }
}

/** The notes that rest on one conversation. A note on several is kept for those that support it alone. */
const notesOf = ({ lines, quotes }: Notes, conversation: string, language: string | null): Notes => ({
  lines: lines.flatMap(({ text, evidence }) => {
    const own = evidence.filter((one) => one.conversation === conversation)
    if (own.length === 0 || (own.length < evidence.length && !isSupported(text, own, language))) return []
    return [{ text, evidence: own }]
  }),
  quotes: quotes.filter(({ evidence }) => evidence.conversation === conversation),
})
