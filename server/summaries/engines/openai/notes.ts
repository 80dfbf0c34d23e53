import { supported } from '../../../../grounding/check-claims.ts'
import { findQuoted } from '../../../../grounding/quotations.ts'
import type { Prompts } from '../../prompts/index.ts'
import type { Making } from '../../summarizer.ts'
import type { Chat } from './chat.ts'
import { type Line, labelled, packLines, questionOf, type Said, tokensOf } from './sources.ts'
import { fewerNotesTask, notesTask } from './tasks.ts'

/** How one request is worked on. */
export interface Desk {
  chat: Chat
  /** What is said of how a result was made. */
  written: Making
  prompts: Prompts
  /** Of the answer; null: not known. */
  language: string | null
  /** How much material goes into one question. */
  maxTokens: number
  signal: AbortSignal
}

export interface Quote {
  said: Said
  text: string
}

export interface Notes {
  lines: Line[]
  quotes: Quote[]
}

/** After so many rounds of merging, what does not fit is left out evenly: a model may not merge at all. */
const MAX_ROUNDS = 4

/** What some lines of a conversation say, checked. */
export async function takeNotes(desk: Desk, lines: readonly Line[]): Promise<Notes> {
  const { chat, prompts, language, signal } = desk
  const material = labelled(
    's',
    lines.map(({ text }) => text),
  )
  const answer = await chat.ask(questionOf(notesTask, prompts.notes, prompts, material), signal)
  const quotes = answer.quotations.flatMap(({ text, sources }) => {
    const said = supported([{ text, sources }], lines, language)[0]?.said ?? []
    return said.flatMap((one) => {
      const quoted = findQuoted(text, one)
      return quoted === null ? [] : [{ said: one, text: quoted }]
    })
  })
  return { lines: supported(answer.notes, lines, language), quotes }
}

/** Notes that fit into one question. */
export async function fitNotes(desk: Desk, notes: readonly Line[]): Promise<Line[]> {
  let left = [...notes]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const packs = packLines(left, desk.maxTokens)
    if (packs.length <= 1) return left
    const merged: Line[] = []
    for (const pack of packs) merged.push(...(await mergeNotes(desk, pack)))
    left = merged
  }
  return evenly(left, desk.maxTokens)
}

/** Where nothing of the answer holds, the notes stay as they were. */
async function mergeNotes(desk: Desk, notes: readonly Line[]): Promise<readonly Line[]> {
  const { chat, prompts, language, signal } = desk
  const material = labelled(
    's',
    notes.map(({ text }) => text),
  )
  const answer = await chat.ask(questionOf(fewerNotesTask, prompts.fewerNotes, prompts, material), signal)
  const merged = supported(answer.notes, notes, language)
  return merged.length > 0 ? merged : notes
}

/** As many as fit, from all parts alike. */
export function evenly<Item extends Pick<Line, 'text'>>(lines: readonly Item[], maxTokens: number): Item[] {
  const tokens = lines.reduce((sum, line) => sum + tokensOf(line), 0)
  const step = Math.max(1, tokens / maxTokens)
  const kept: Item[] = []
  let room = maxTokens
  for (let at = 0; at < lines.length; at += step) {
    const line = lines[Math.floor(at)]
    if (line && tokensOf(line) <= room) {
      kept.push(line)
      room -= tokensOf(line)
    }
  }
  return kept
}
