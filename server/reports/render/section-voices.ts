import type { DocumentSection, Position } from './report-document.ts'

export interface SectionVoices {
  all: number
  for: number
  against: number
}

/**
 * How many people a section is from. Counted here, never by a model. Null for a section without people, and for statements that
 * belong to no theme where the report has no themes.
 */
export function sectionVoices(section: DocumentSection<Position>, at: number): SectionVoices | null {
  if (!section.heading && at === 0) return null
  const all = peopleOf(section).length
  const { for: inFavour, against } = section.voices ?? { for: [], against: [] }
  return all === 0 ? null : { all, for: inFavour.length, against: against.length }
}

/** The last section has people without a theme, whether or not they are quoted, and sentences of others that belong to no theme. */
function peopleOf(section: DocumentSection<Position>): string[] {
  const known = section.voices?.conversations
  if (!known) return sourcesOf(section)
  return section.heading ? known : [...new Set([...known, ...sourcesOf(section)])]
}

const sourcesOf = ({ paragraphs, quotations }: DocumentSection<Position>): string[] => {
  const sources = [
    ...paragraphs.flatMap((one) => ('erased' in one ? [] : one.sources)),
    ...quotations.flatMap((one) => ('erased' in one ? [] : one.source)),
  ]
  return [...new Set(sources.map(({ conversation_id }) => conversation_id))]
}
