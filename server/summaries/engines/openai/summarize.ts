import { cleanText, isAbout, supportedStatements } from '../../../../grounding/check-claims.ts'
import type { Evidence, SourceLine } from '../../../../grounding/types.ts'
import type { SummarizeRequest, Summary } from '../../summarizer.ts'
import { markerOf, unclearIn } from '../../unclear-words.ts'
import { summarizeByExtract } from '../extractive/summarizer.ts'
import { clip } from '../extractive/titles/title.ts'
import { isHeadingGrounded } from './headings.ts'
import { fitNotes, type SummaryContext, takeNotes } from './notes.ts'
import { labelLines, packLines, promptOf } from './sources.ts'
import { summaryTask } from './tasks.ts'
import { areSupported } from './verify.ts'

const MAX_POINTS = 8
const MAX_TITLE = 80
const MAX_TITLE_SOURCES = 12
const MAX_TAGS = 10
const MAX_TAG = 40

/** Summarises one conversation: directly if it fits into a prompt, else from notes on its parts. */
export async function summarizeByModel(context: SummaryContext, request: SummarizeRequest): Promise<Summary> {
  const { prompts, chat, language, signal } = context
  const evidence = request.utterances.flatMap(({ id, text }, position) =>
    text.trim() === '' ? [] : [{ id, text, language, conversation: '', position }],
  )
  if (evidence.length === 0) return summarizeByExtract(request)
  const lines = await fitTranscript(context, evidence)
  const draft = await chat.ask(promptOf(summaryTask, prompts.summary, prompts, labelLines(lines)), signal)
  const plausible = supportedStatements(draft.points, lines, language).slice(0, MAX_POINTS)
  const isUnclear = unclearIn(request.utterances)
  // A title that rests on unclear segments only would lose their mark.
  const sources = plausible
    .flatMap((point) => point.evidence)
    .filter(({ id }) => !isUnclear([id]))
    .slice(0, MAX_TITLE_SOURCES)
  const written = titleFrom(draft.title, sources, language)
  const supported = await areSupported(context, [
    ...plausible.map((point) => ({ kind: 'claim' as const, ...point })),
    ...(written === '' ? [] : [{ kind: 'heading' as const, text: written, evidence: sources }]),
  ])
  const points = plausible.filter((_, index) => supported[index])
  // If no point is supported, nothing of the model's summary is used.
  if (points.length === 0) return { ...(await summarizeByExtract(request)), fallback: 'unsupported' }
  const isGrounded = isHeadingGrounded({ text: written, evidence: sources }, points, language)
  const title = supported[plausible.length] && isGrounded ? written : ''
  return {
    ...context.provenance,
    title: title || (await summarizeByExtract(request)).title,
    points: points
      .map(toClaim)
      .toSorted((a, b) => Number(isUnclear(a.utterances)) - Number(isUnclear(b.utterances)))
      .map(markerOf(request.utterances)),
    tags: tagsFrom(draft.tags, evidence, language),
  }
}

export const toClaim = ({ text, evidence }: SourceLine) => ({
  text,
  utterances: evidence.map(({ id }) => id),
})

async function fitTranscript(context: SummaryContext, evidence: readonly Evidence[]): Promise<SourceLine[]> {
  const lines = evidence.map((one) => ({ text: one.text, evidence: [one] }))
  const batches = packLines(lines, context.maxTokens)
  const [only] = batches
  if (batches.length === 1 && only) return only
  const notes: SourceLine[] = []
  for (const batch of batches) notes.push(...(await takeNotes(context, batch)).lines)
  return fitNotes(context, notes)
}

/** A title names no sources. It is checked against the evidence of its points; empty if they do not support it. */
export function titleFrom(title: string, evidence: readonly Evidence[], language: string | null): string {
  const clipped = clip(cleanText(title, 4 * MAX_TITLE), MAX_TITLE)
  return isAbout(clipped, evidence, language) ? clipped : ''
}

function tagsFrom(tags: readonly string[], evidence: readonly Evidence[], language: string | null): string[] {
  const cleaned = tags.map((tag) => cleanText(tag, MAX_TAG).toLowerCase())
  const supported = cleaned.filter((tag) => tag !== '' && isAbout(tag, evidence, language))
  return [...new Set(supported)].slice(0, MAX_TAGS)
}
