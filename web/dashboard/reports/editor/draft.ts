import type { Schemas } from '../../api/client.ts'

type Document = Schemas['ReportDocument']

export interface DraftParagraph {
  id: string
  /** The key of the paragraph whose sources it keeps; null for a new one. */
  from: string | null
  /** Null: the conversation was withdrawn. */
  text: string | null
}

export interface DraftSection {
  id: string
  from: string | null
  heading: string
  paragraphs: DraftParagraph[]
  /** Keys: quotations can be removed and moved, but not changed. */
  quotations: string[]
}

/** An edit that is not saved yet. */
export interface Draft {
  /** The version that is edited. */
  version: number
  title: string
  introduction: string
  sections: DraftSection[]
}

/** The introduction of an extract says that no one has reviewed it, which is no longer true. */
export const draftOf = (document: Document, method: Schemas['Report']['method']): Draft => ({
  version: document.version,
  title: document.title,
  introduction: method === 'extractive' && !document.own_introduction ? '' : document.introduction,
  sections: document.sections.map(({ key, heading, paragraphs, quotations }) => ({
    id: key,
    from: key,
    heading,
    paragraphs: paragraphs.map((one) => ({ id: one.key, from: one.key, text: one.text })),
    quotations: quotations.map((one) => one.key),
  })),
})

/** Empty new paragraphs are left out, and emptied ones are removed. */
export const editOf = (draft: Draft, version = draft.version): Schemas['EditReportRequest'] => ({
  version,
  title: draft.title.trim(),
  introduction: draft.introduction.trim(),
  sections: draft.sections.map(({ from, heading, paragraphs, quotations }) => ({
    from,
    heading: heading.trim(),
    paragraphs: paragraphs
      .filter(({ text }) => text === null || text.trim() !== '')
      .map(({ from, text }) => ({ from, text: text === null ? null : text.trim() })),
    quotations,
  })),
})

let made = 0
const newKey = (): string => `new ${Date.now()} ${++made}`
export const newParagraph = (): DraftParagraph => ({ id: newKey(), from: null, text: '' })
export const newSection = (): DraftSection => ({
  id: newKey(),
  from: null,
  heading: '',
  paragraphs: [newParagraph()],
  quotations: [],
})

export const moved = <T>(list: readonly T[], at: number, by: -1 | 1): T[] => {
  const next = [...list]
  const [one] = next.splice(at, 1)
  if (one !== undefined) next.splice(at + by, 0, one)
  return next
}
export const without = <T>(list: readonly T[], at: number): T[] => list.toSpliced(at, 1)
export const replaced = <T>(list: readonly T[], at: number, item: T): T[] => list.with(at, item)
