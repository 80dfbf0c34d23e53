import { keywordsOf } from './keywords.ts'
import type { Passage } from './passages.ts'
import { capitalized } from './title.ts'

/** Passages that share a word. */
export interface Theme {
  heading: string
  passages: Passage[]
}

const MAX_THEMES = 6
const MIN_PASSAGES = 2
const HEADING_WORDS = 3
/** Words of the host's instructions come before frequent words. */
const INSTRUCTION_BONUS = 4

/** The word that most conversations share gets all its passages, then the next word those that are left. */
export function themesOf(passages: readonly Passage[], isRequested: (key: string) => boolean): Theme[] {
  const themes: Theme[] = []
  const taken = new Set<string>()
  let rest = passages
  while (themes.length < MAX_THEMES) {
    const key = strongestKey(rest, (candidate) => (isRequested(candidate) ? INSTRUCTION_BONUS : 1), taken)
    if (key === null) break
    const members = rest.filter(({ keys }) => keys.includes(key))
    themes.push({ heading: headingOf(key, members, taken), passages: members })
    rest = rest.filter(({ keys }) => !keys.includes(key))
  }
  return themes
}

/** Weighted by the number of conversations, so that one long conversation does not dominate the report. */
function strongestKey(
  passages: readonly Passage[],
  bonus: (key: string) => number,
  taken: ReadonlySet<string>,
): string | null {
  const entries = passages.flatMap(({ keys, conversation }) =>
    [...new Set(keys)].map((key) => ({ key, conversation })),
  )
  let strongest: [key: string | null, score: number] = [null, 0]
  for (const [key, found] of Map.groupBy(entries, ({ key }) => key)) {
    if (found.length < MIN_PASSAGES || taken.has(key)) continue
    const conversations = new Set(found.map(({ conversation }) => conversation))
    const score = bonus(key) * conversations.size * Math.log2(1 + found.length)
    if (score > strongest[1]) strongest = [key, score]
  }
  return strongest[0]
}

/** The theme's word and the most frequent words with it. No word is in two headings. */
function headingOf(key: string, members: readonly Passage[], taken: Set<string>): string {
  const isFree = (keys: readonly string[]) => !keys.some((one) => taken.has(one))
  const about = keywordsOf(members, 2 * HEADING_WORDS).filter(({ keys }) => isFree(keys))
  const words = [
    ...about.filter(({ keys }) => keys.includes(key)),
    ...about.filter(({ keys }) => !keys.includes(key)),
  ].slice(0, HEADING_WORDS)
  for (const { keys } of words) for (const one of keys) taken.add(one)
  taken.add(key)
  return capitalized(words.map(({ surface }) => surface).join(', ') || key)
}
