import { z } from 'zod'
import type { Statement } from '../../../../grounding/types.ts'

/** One kind of request: the format of the response, as described to the model and as parsed. */
export interface Task<Result> {
  name: string
  /** JSON Schema, limited to what every server supports. */
  schema: object
  /** For servers that do not enforce a schema. */
  example: string
  shape: z.ZodType<Result>
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

/** Accepts `["s1", 2, "[S3]"]` and `"s1, s2"` as well: small models are not exact. */
const labels = z
  .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
  .transform(
    (given) =>
      new Set(
        String(given)
          .toLowerCase()
          .match(/[a-z]?\d+/g),
      ),
  )
  .transform((found) => [...found].map((label) => (/^\d/.test(label) ? `s${label}` : label)))
/** Items of another shape are left out. */
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

/** Any other word counts as "not supported". Some models return `{"c1": "support"}` instead of a list. */
export const checksTask = {
  name: 'checks',
  schema: record({
    checks: list(
      record({ label: text, decision: { type: 'string', enum: ['support', 'contradict', 'not_mentioned'] } }),
    ),
  }),
  example:
    '{"checks": [{"label": "c1", "decision": "support"}, {"label": "c2", "decision": "not_mentioned"}]}',
  shape: z
    .looseObject({ checks: z.unknown() })
    .partial()
    .transform(({ checks, ...others }) =>
      Array.isArray(checks)
        ? checks
        : Object.entries(checks ?? others).map(([label, decision]) => ({ label, decision })),
    )
    .pipe(some(z.object({ label: z.string(), decision: z.string() }))),
}

/** Kinds of errors in a claim. Any other word than `none` counts as a difference. */
const DIFFERENCES = [
  'none',
  'opposite',
  'number',
  'name',
  'person',
  'time',
  'reason',
  'certainty',
  'extent',
  'added',
]

export const comparisonsTask = {
  name: 'comparisons',
  schema: record({
    comparisons: list(
      record({ label: text, words: text, difference: { type: 'string', enum: DIFFERENCES } }),
    ),
  }),
  example:
    '{"comparisons": [{"label": "c1", "words": "…", "difference": "none"}, {"label": "c2", "words": "", "difference": "added"}]}',
  shape: z
    .object({ comparisons: some(z.object({ label: z.string(), words, difference: z.string() })) })
    .transform(({ comparisons }) => comparisons),
}
