import { z } from 'zod'

/** One kind of question: what the answer must look like, as told to the model and as read from it. */
export interface Task<Result> {
  name: string
  /** JSON Schema, in the part of it that every server knows. */
  schema: object
  /** For servers that hold a model to nothing. */
  example: string
  shape: z.ZodType<Result>
}

/** Something that a model states, and the labels of what it says it rests on. Nothing of it is believed yet. */
export interface Statement {
  text: string
  sources: string[]
}

const text = { type: 'string' }
const list = (items: object) => ({ type: 'array', items })
const record = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const statement = record({ text, sources: list(text) })

/** `["s1", 2, "[S3]"]` and `"s1, s2"` alike become `s1`, `s2`, …: small models are not exact. */
const labels = z
  .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
  .transform((said) => [
    ...new Set(
      String(said)
        .toLowerCase()
        .match(/[a-z]?\d+/g) ?? [],
    ),
  ])
  .transform((found) => found.map((label) => (/^\d/.test(label) ? `s${label}` : label)))
/** An item that has another shape is left out, the others count. */
const some = <Item>(item: z.ZodType<Item>) =>
  z.array(z.unknown()).transform((items) => items.flatMap((one) => item.safeParse(one).data ?? []))
const words = z.string().catch('')
const stated: z.ZodType<Statement> = z.object({ text: z.string(), sources: labels })

export const summaryTask = {
  name: 'summary',
  schema: record({ title: text, points: list(statement), tags: list(text) }),
  example: '{"title": "…", "points": [{"text": "…", "sources": ["s1", "s4"]}], "tags": ["…"]}',
  shape: z.object({ title: words, points: some(stated), tags: some(z.string()).catch([]) }),
}

export const notesTask = {
  name: 'notes',
  schema: record({ notes: list(statement), quotations: list(statement) }),
  example:
    '{"notes": [{"text": "…", "sources": ["s1", "s4"]}], "quotations": [{"text": "…", "sources": ["s4"]}]}',
  shape: z.object({ notes: some(stated), quotations: some(stated).catch([]) }),
}

export const fewerNotesTask = {
  name: 'fewer_notes',
  schema: record({ notes: list(statement) }),
  example: '{"notes": [{"text": "…", "sources": ["s1", "s4"]}]}',
  shape: z.object({ notes: some(stated) }),
}

export const reportTask = {
  name: 'report',
  schema: record({
    title: text,
    introduction: statement,
    sections: list(record({ heading: text, paragraphs: list(statement), quotations: list(text) })),
  }),
  example:
    '{"title": "…", "introduction": {"text": "…", "sources": ["s1"]}, "sections": [{"heading": "…", "paragraphs": [{"text": "…", "sources": ["s2", "s7"]}], "quotations": ["q1"]}]}',
  shape: z.object({
    title: words,
    introduction: stated.catch({ text: '', sources: [] }),
    sections: some(z.object({ heading: z.string(), paragraphs: some(stated), quotations: labels.catch([]) })),
  }),
}
