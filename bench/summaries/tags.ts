import type { StatementSet } from './statements.ts'

/** Tags that name a district, a table, a round or a place of a session. Their conversations are about many subjects. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  de: ['Süd', 'Tisch 3', 'Runde 2', 'Abend', 'Altstadt', 'Schule'],
  en: ['south', 'table 3', 'round 2', 'evening', 'Riverside', 'school'],
  es: ['sur', 'mesa 3', 'ronda 2', 'tarde', 'Triana', 'escuela'],
  fr: ['sud', 'table 3', 'tour 2', 'soirée', 'Belleville', 'école'],
  it: ['sud', 'tavolo 3', 'giro 2', 'sera', 'Navigli', 'scuola'],
  nl: ['zuid', 'tafel 3', 'ronde 2', 'avond', 'Oosterpoort', 'school'],
}

export type Tagging = (set: StatementSet) => readonly (readonly string[])[]

/** Half of the people of each subject have its name as a tag. */
const bySubject: Tagging = ({ statements }) => {
  const people = new Map<string, number>()
  return statements.map(({ subject }) => {
    if (subject === null) return []
    const at = people.get(subject) ?? 0
    people.set(subject, at + 1)
    return at % 2 === 0 ? [subject.toLowerCase()] : []
  })
}

/** Two labels for everyone: blocks of neighbouring statements share one, and so do statements far from each other. */
const byLabel: Tagging = ({ language, statements }) => {
  const labels = LABELS[language] ?? []
  const [first, second] = [labels.slice(0, labels.length / 2), labels.slice(labels.length / 2)]
  return statements.map((_, at) => [
    first[at % first.length] ?? '',
    second[Math.floor((at * second.length) / statements.length)] ?? '',
  ])
}

export const TAGGINGS: Readonly<Record<string, Tagging>> = {
  subjects: bySubject,
  districts_and_rounds: byLabel,
  both: (set) => {
    const labels = byLabel(set)
    return bySubject(set).map((tags, at) => [...tags, ...(labels[at] ?? [])])
  },
}
