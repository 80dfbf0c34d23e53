import type { z } from 'zod'
import { invalidInput } from '../../api/problems.ts'
import type { DocumentParagraph, DocumentSection, Erased, Position } from '../render/report-document.ts'
import type { StoredDocument } from '../stored-document.ts'
import type { DocumentEdit } from './schema.ts'

type Section = DocumentSection<Position>
type Paragraph = DocumentParagraph<Position> | Erased
type Edit = z.output<typeof DocumentEdit>
type EditedSection = Edit['sections'][number]

/** The keys under which an edit names the parts of a version. */
export const sectionKey = (section: number): string => `s${section}`
export const paragraphKey = (section: number, at: number): string => `s${section}p${at}`
export const quotationKey = (section: number, at: number): string => `s${section}q${at}`

/**
 * The document after an edit. Texts keep their sources, so that an erasure still finds them. Quotations can be moved and removed
 * but not changed: they are what a person said.
 */
export function applyEdit(base: StoredDocument, edit: Edit): StoredDocument {
  const find = finderOf(base)
  const { own_introduction: _, ...rest } = base
  return {
    ...rest,
    title: edit.title,
    own_title: base.own_title || edit.title !== base.title,
    introduction: edit.introduction,
    ...(isOwnIntroduction(base, edit) && { own_introduction: true }),
    edited: true,
    sections: edit.sections.map((section, at) => editSection(find, section, at)),
  }
}

/** A text by a model rests on the conversations even if a member has changed it, so that an erasure removes it. */
const isOwnIntroduction = (base: StoredDocument, { introduction }: Edit): boolean =>
  base.own_introduction === true ||
  (introduction !== base.introduction && (base.introduction === '' || base.method === 'extractive'))

function editSection(find: Finder, section: EditedSection, at: number): Section {
  const path = `sections.${at}`
  const from = section.from === null ? null : find('sections', section.from, `${path}.from`)
  const isOwn = from?.own_heading === true || section.heading !== (from?.heading ?? '')
  return {
    heading: section.heading,
    ...(isOwn && { own_heading: true }),
    ...(from?.voices && { voices: from.voices }),
    paragraphs: section.paragraphs.map((one, n) => editParagraph(find, one, `${path}.paragraphs.${n}`)),
    quotations: section.quotations.map((key, n) => find('quotations', key, `${path}.quotations.${n}`)),
  }
}

function editParagraph(
  find: Finder,
  { from, text }: EditedSection['paragraphs'][number],
  path: string,
): Paragraph {
  if (from === null) {
    if (text === null)
      throw invalidInput({ path: `${path}.text`, message: 'must be a string for a new paragraph' })
    return { text, sources: [], own: true }
  }
  const base = find('paragraphs', from, `${path}.from`)
  if ('erased' in base || text === null || text === base.text) return base
  return { text, sources: base.sources, own: true }
}

type Parts = { sections: Section; paragraphs: Paragraph; quotations: Section['quotations'][number] }
const UNKNOWN_KEY = 'must be the key of a section, paragraph or quotation in the version being edited'

type Finder = <K extends keyof Parts>(kind: K, key: string, path: string) => Parts[K]

function finderOf({ sections }: StoredDocument): Finder {
  const parts: { [K in keyof Parts]: Map<string, Parts[K]> } = {
    sections: new Map(sections.map((one, at) => [sectionKey(at), one])),
    paragraphs: new Map(
      sections.flatMap(({ paragraphs }, at) => paragraphs.map((one, n) => [paragraphKey(at, n), one])),
    ),
    quotations: new Map(
      sections.flatMap(({ quotations }, at) => quotations.map((one, n) => [quotationKey(at, n), one])),
    ),
  }
  return (kind, key, path) => {
    const found = parts[kind].get(key)
    if (found === undefined) throw invalidInput({ path, message: UNKNOWN_KEY })
    return found
  }
}
