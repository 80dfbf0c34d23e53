import type { ReportDraft, ReportSource } from '../../server/summaries/index.ts'
import type { Summarizer } from '../../server/summaries/summarizer.ts'
import { bCubed, f1, pairwise, share } from './scores.ts'
import type { StatementSet } from './statements.ts'
import type { Tagging } from './tags.ts'

/** A conversation per list of texts. */
export const sourcesOf = (language: string, talks: readonly (readonly string[])[]): ReportSource[] =>
  talks.map((texts, index) => ({
    id: `c${index}`,
    title: null,
    participant: null,
    language,
    utterances: texts.map((text, place) => ({ id: `c${index}-${place}`, start: place, text })),
  }))

/** How well the themes of a report are the subjects of the statements. */
export async function measureThemes(
  summarizer: Summarizer,
  sets: readonly StatementSet[],
  print: (line: string) => void,
  tagging: Tagging = () => [],
) {
  const scores: SetScore[] = []
  for (const set of sets) scores.push(await measureSet(summarizer, set, tagging(set), print))
  const total = (get: (score: SetScore) => number) => scores.map(get).reduce((sum, value) => sum + value, 0)
  // Weighted by people: a small set is easy.
  const average = (get: (score: SetScore) => number) =>
    share(
      total((score) => get(score) * score.people),
      total((score) => score.people),
    )
  return {
    f1: average((score) => score.f1),
    precision: average((score) => score.precision),
    recall: average((score) => score.recall),
    b_cubed_f1: average((score) => score.bCubed),
    f1_by_set: Object.fromEntries(scores.map((score) => [score.name, score.f1])),
    subjects: total((score) => score.subjects),
    named_subjects: total((score) => score.named),
    people: total((score) => score.people),
    people_who_appear: total((score) => score.present),
    objections_f1: f1(
      share(
        total((score) => score.objections.right),
        total((score) => score.objections.found),
      ),
      share(
        total((score) => score.objections.right),
        total((score) => score.objections.labelled),
      ),
    ),
  }
}

type SetScore = Awaited<ReturnType<typeof measureSet>>

async function measureSet(
  summarizer: Summarizer,
  set: StatementSet,
  tags: readonly (readonly string[])[],
  print: (line: string) => void,
) {
  const { name, language, statements } = set
  const conversations = sourcesOf(
    language,
    statements.map(({ text }) => text.split(/(?<=[.?!]) /u)),
  ).map((source, at) => ({ ...source, tags: tags[at] ?? [] }))
  const report = await summarizer.report({
    title: null,
    language,
    instructions: null,
    conversations,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const members = report.sections.map(membersOf)
  const found = conversations.map(({ id }) => themesOf(id, report, members))
  const gold = statements.map(({ subject }, index) => new Set([subject ?? `alone ${index}`]))
  for (const [index, { heading }] of report.sections.entries())
    print(
      `theme (${language}): “${heading}” ${[...(members[index] ?? [])].map((id) => statements[Number(id.slice(1))]?.subject).join(' ')}`,
    )
  const objecting = new Set(report.sections.flatMap(({ voices }) => voices?.against ?? []))
  const labelled = statements.flatMap(({ objects }, index) => (objects ? [`c${index}`] : []))
  return {
    name,
    ...pairwise(found, gold),
    bCubed: bCubed(found, gold).f1,
    subjects: set.names.size,
    named: namedSubjects(set, report, members),
    people: statements.length,
    present: new Set(members.flatMap((ids) => [...ids])).size,
    objections: {
      found: objecting.size,
      labelled: labelled.length,
      right: labelled.filter((id) => objecting.has(id)).length,
    },
  }
}

/** The people of a section: those that it names, or else those that it cites. */
const membersOf = ({ voices, paragraphs, quotations }: ReportDraft['sections'][number]): Set<string> =>
  new Set(
    voices?.conversations ?? [
      ...paragraphs.flatMap(({ utterances }) => utterances.map((id) => id.split('-')[0] ?? '')),
      ...quotations.map(({ conversation_id }) => conversation_id),
    ],
  )

function themesOf(id: string, { sections }: ReportDraft, members: readonly Set<string>[]): Set<string> {
  const themes = sections.flatMap(({ heading }, index) =>
    heading !== '' && members[index]?.has(id) ? [`theme ${index}`] : [],
  )
  return new Set(themes.length > 0 ? themes : [`alone ${id}`])
}

/** Subjects with a theme of the right name that has most of their people. */
const namedSubjects = (
  { names, statements }: StatementSet,
  { sections }: ReportDraft,
  members: readonly Set<string>[],
): number =>
  [...names].filter(([subject, pattern]) => {
    const people = statements.flatMap((one, index) => (one.subject === subject ? [`c${index}`] : []))
    return sections.some(
      ({ heading }, index) =>
        pattern.test(heading) && people.filter((id) => members[index]?.has(id)).length > people.length / 2,
    )
  }).length
