import { isAbout, supported, tidy } from '../../../../grounding/check-claims.ts'
import type { SummarizeRequest, Summary } from '../../summarizer.ts'
import { summarizeByExtract } from '../extractive/summarize.ts'
import { clip } from '../extractive/title.ts'
import { type Desk, fitNotes, takeNotes } from './notes.ts'
import { type Line, labelled, packLines, questionOf, type Said } from './sources.ts'
import { summaryTask } from './tasks.ts'

const MAX_POINTS = 8
const MAX_TITLE = 80
const MAX_TAGS = 10
const MAX_TAG = 40

/** One conversation: at once where it fits into a question, else from notes on its parts. */
export async function summarizeByModel(desk: Desk, request: SummarizeRequest): Promise<Summary> {
  const { prompts, chat, language, signal } = desk
  const said = request.utterances.flatMap(({ id, text }, place) =>
    text.trim() === '' ? [] : [{ id, text, language, conversation: '', place }],
  )
  if (said.length === 0) return summarizeByExtract(request)
  const lines = await fitTranscript(desk, said)
  const material = labelled(
    's',
    lines.map(({ text }) => text),
  )
  const answer = await chat.ask(questionOf(summaryTask, prompts.summary, prompts, material), signal)
  const points = supported(answer.points, lines, language).slice(0, MAX_POINTS)
  // What was said takes their place, and nothing of the model's is left.
  if (points.length === 0) return summarizeByExtract(request)
  const title = titleFrom(
    answer.title,
    points.flatMap((point) => point.said),
    language,
  )
  return {
    ...desk.written,
    title: title || (await summarizeByExtract(request)).title,
    points: points.map(({ text, said: on }) => ({ text, utterances: on.map(({ id }) => id) })),
    tags: tagsFrom(answer.tags, said, language),
  }
}

async function fitTranscript(desk: Desk, said: readonly Said[]): Promise<Line[]> {
  const packs = packLines(
    said.map((one) => ({ text: one.text, said: [one] })),
    desk.maxTokens,
  )
  const [only] = packs
  if (packs.length === 1 && only) return only
  const notes: Line[] = []
  for (const pack of packs) notes.push(...(await takeNotes(desk, pack)).lines)
  return fitNotes(desk, notes)
}

/** A title names no lines: it is held to those that its points rest on; empty where it says something else. */
export function titleFrom(title: string, said: readonly Said[], language: string | null): string {
  const tidied = clip(tidy(title, 4 * MAX_TITLE), MAX_TITLE)
  return isAbout(tidied, said, language) ? tidied : ''
}

function tagsFrom(tags: readonly string[], said: readonly Said[], language: string | null): string[] {
  const tidied = tags.map((tag) => tidy(tag, MAX_TAG).toLowerCase())
  const held = tidied.filter((tag) => tag !== '' && isAbout(tag, said, language))
  return [...new Set(held)].slice(0, MAX_TAGS)
}
