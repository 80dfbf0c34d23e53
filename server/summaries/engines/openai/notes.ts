import { supportedStatements } from '../../../../grounding/check-claims.ts'
import { findQuotation } from '../../../../grounding/quotations.ts'
import type { Evidence, SourceLine } from '../../../../grounding/types.ts'
import type { Prompts } from '../../prompts/index.ts'
import type { Provenance } from '../../summarizer.ts'
import type { Chat } from './chat.ts'
import { labelLines, packLines, promptOf, tokensOf } from './sources.ts'
import { fewerNotesTask, notesTask } from './tasks.ts'

/** The settings of one summary or report. */
export interface SummaryContext {
  chat: Chat
  provenance: Provenance
  prompts: Prompts
  /** The language of the result; null: unknown. */
  language: string | null
  /** How many tokens of sources go into one prompt. */
  maxTokens: number
  /** Parallel requests. */
  concurrency: number
  signal: AbortSignal
}

export interface Quote {
  evidence: Evidence
  text: string
}

export interface Notes {
  lines: SourceLine[]
  quotes: Quote[]
}

/** After this many rounds of merging, notes that do not fit are dropped evenly: a model may not merge at all. */
const MAX_ROUNDS = 4

/** Notes on some lines of one conversation, or of `several` with their numbers, checked against them. */
export async function takeNotes(
  context: SummaryContext,
  lines: readonly SourceLine[],
  several: readonly string[] | null = null,
): Promise<Notes> {
  const { chat, prompts, language, signal } = context
  const instruction = several ? `${prompts.notes}\n${prompts.severalConversations}` : prompts.notes
  const prompt = promptOf(notesTask, instruction, prompts, several ?? labelLines(lines))
  const { notes, quotations } = await chat.ask(prompt, signal)
  const quotes = quotations.flatMap(({ text, sources }) => {
    const [statement] = supportedStatements([{ text, sources }], lines, language)
    return (statement?.evidence ?? []).flatMap((evidence) => {
      const quoted = findQuotation(text, evidence)
      return quoted === null ? [] : [{ evidence, text: quoted }]
    })
  })
  return { lines: supportedStatements(notes, lines, language), quotes }
}

/** Merges notes until they fit into one prompt. */
export async function fitNotes(context: SummaryContext, notes: readonly SourceLine[]): Promise<SourceLine[]> {
  let left = [...notes]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const batches = packLines(left, context.maxTokens)
    if (batches.length <= 1) return left
    const merged: SourceLine[] = []
    for (const batch of batches) merged.push(...(await mergeNotes(context, batch)))
    left = merged
  }
  return sampleEvenly(left, context.maxTokens)
}

/** Keeps the notes unchanged if no merged note is supported. */
async function mergeNotes(
  { chat, prompts, language, signal }: SummaryContext,
  notes: readonly SourceLine[],
): Promise<readonly SourceLine[]> {
  const prompt = promptOf(fewerNotesTask, prompts.fewerNotes, prompts, labelLines(notes))
  const merged = supportedStatements((await chat.ask(prompt, signal)).notes, notes, language)
  return merged.length > 0 ? merged : notes
}

/** Takes as many lines as fit, from all parts of the list. */
export function sampleEvenly<Item extends Pick<SourceLine, 'text'>>(
  lines: readonly Item[],
  maxTokens: number,
): Item[] {
  const tokens = lines.reduce((sum, line) => sum + tokensOf(line), 0)
  const step = Math.max(1, tokens / maxTokens)
  const kept: Item[] = []
  let left = maxTokens
  for (let at = 0; at < lines.length; at += step) {
    const line = lines[Math.floor(at)]
    if (line && tokensOf(line) <= left) {
      kept.push(line)
      left -= tokensOf(line)
    }
  }
  return kept
}
