import { createHash } from 'node:crypto'
import type { SourceLine } from '../../../../grounding/types.ts'
import type { KeptNotes, ReportSource } from '../../summarizer.ts'
import type { Notes, SummaryContext } from './notes.ts'

/** Increased when notes are taken or checked in another way, so that older notes are taken again. */
const VERSION = 1

/** Changes with everything that the notes of a conversation depend on. A corrected transcript gets new notes. */
export function keyOf({ provenance, prompts, language }: SummaryContext, source: ReportSource): string {
  const texts = source.utterances.map(({ text }) => text)
  const parts = [
    VERSION,
    provenance.model,
    language,
    prompts.notes,
    source.participant,
    source.language,
    texts,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Evidence is kept as positions: the ids of utterances differ between reports. */
export function toKept({ lines, quotes }: Notes, conversation: readonly SourceLine[]): KeptNotes {
  const indexOf = new Map(conversation.map((line, index) => [line.evidence[0]?.id, index]))
  const positionsOf = (ids: readonly string[]) => ids.flatMap((id) => indexOf.get(id) ?? [])
  return {
    lines: lines.map(({ text, evidence }) => ({ text, sources: positionsOf(evidence.map(({ id }) => id)) })),
    quotes: quotes.map(({ text, evidence }) => ({ text, sources: positionsOf([evidence.id]) })),
  }
}

export function fromKept({ lines, quotes }: KeptNotes, conversation: readonly SourceLine[]): Notes {
  const evidenceAt = (sources: readonly number[]) =>
    sources.flatMap((index) => conversation[index]?.evidence ?? [])
  return {
    lines: lines.map(({ text, sources }) => ({ text, evidence: evidenceAt(sources) })),
    quotes: quotes.flatMap(({ text, sources }) =>
      evidenceAt(sources).map((evidence) => ({ text, evidence })),
    ),
  }
}
