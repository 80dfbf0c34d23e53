import { CLEAR } from './concern.ts'
import type { Passage } from './passages.ts'
import { nameOf } from './theme-name.ts'
import type { Unit, Vocabulary } from './units.ts'
import { chooseWords, MIN_CONVERSATIONS, MIN_WEIGHT } from './words/choose-words.ts'

/** A subject that several people speak about. */
export interface Theme {
  heading: string
  /** The word that names it. */
  root: string
  passages: Passage[]
}

/** Words of the host's instructions come before frequent words. */
const INSTRUCTION_BONUS = 4
const ROUNDS = 3
/** A word counts for a theme if at least this share of its units is in it. */
const MIN_ASSOCIATION = 0.6
/** A theme's own word counts for more than the words around it. */
const OWN_WEIGHT = 2
const MIN_SCORE = 1
const CLEAR_NOUN = 0.75

/**
 * Themes are about words that several conversations share. Each unit goes to the theme whose words it shares most, so that a statement
 * without the theme's own word can join it. Sentences about another theme go there.
 */
export function themesOf(
  units: readonly Unit[],
  vocabulary: Vocabulary,
  isRequested: (root: string) => boolean,
): Theme[] {
  const taken = new Set<string>()
  const words = chooseWords(units, (root) => (isRequested(root) ? INSTRUCTION_BONUS : 1))
  return membersOf(units, words).map(({ root, passages }) => {
    const people = [...Map.groupBy(passages, ({ conversation }) => conversation).values()]
    return { heading: nameOf(root, people, vocabulary, taken), root, passages }
  })
}

/** Drops words for which too few people are left; their passages go to other themes. */
function membersOf(units: readonly Unit[], words: readonly string[]): Omit<Theme, 'heading'>[] {
  const passages = divide(units, words, assign(units, words))
  const kept = words.filter((_, theme) => {
    const people = new Set(passages[theme]?.map(({ conversation }) => conversation))
    return people.size >= MIN_CONVERSATIONS
  })
  if (kept.length < words.length) return membersOf(units, kept)
  return words.map((root, theme) => ({ root, passages: passages[theme] ?? [] }))
}

/** The index of the theme of each unit; null for none. */
export function assign(units: readonly Unit[], chosen: readonly string[]): (number | null)[] {
  let themes = units.map(({ roots }) =>
    strongest(
      chosen.map((root) => roots.get(root) ?? 0),
      MIN_WEIGHT,
    ),
  )
  for (let round = 0; round < ROUNDS; round++) {
    const associations = associationsOf(units, themes)
    themes = units.map((unit) =>
      strongest(
        chosen.map((root, theme) => scoreOf(unit, root, theme, associations)),
        MIN_SCORE,
      ),
    )
  }
  return themes
}

/** The index of the highest score; null if none is high enough. */
function strongest(scores: readonly number[], least: number): number | null {
  const highest = Math.max(...scores)
  return scores.length > 0 && highest >= least ? scores.indexOf(highest) : null
}

/** For each word: how many units contain it, and how many of these are in each theme. */
type Associations = Map<string, { units: number; inTheme: Map<number, number> }>

function associationsOf(units: readonly Unit[], themes: readonly (number | null)[]): Associations {
  const found: Associations = new Map()
  for (const [index, { roots }] of units.entries())
    for (const root of roots.keys()) {
      const known = found.get(root) ?? { units: 0, inTheme: new Map<number, number>() }
      found.set(root, known)
      known.units++
      const theme = themes[index] ?? null
      if (theme !== null) known.inTheme.set(theme, (known.inTheme.get(theme) ?? 0) + 1)
    }
  return found
}

function scoreOf({ roots }: Unit, own: string, theme: number, associations: Associations): number {
  let score = OWN_WEIGHT * (roots.get(own) ?? 0)
  for (const [root, weight] of roots) {
    const known = associations.get(root)
    if (!known || known.units < MIN_CONVERSATIONS || root === own) continue
    const share = (known.inTheme.get(theme) ?? 0) / known.units
    if (share >= MIN_ASSOCIATION) score += weight * share
  }
  return score
}

/** The passages of each theme. A passage that clearly is about another theme than its unit goes to that theme. */
function divide(
  units: readonly Unit[],
  chosen: readonly string[],
  themes: readonly (number | null)[],
): Passage[][] {
  const members = chosen.map((): Passage[] => [])
  for (const [index, unit] of units.entries()) {
    const main = themes[index] ?? null
    for (const [at, passage] of unit.passages.entries()) {
      const theme = otherTheme(unit, at, chosen, main) ?? main
      if (theme !== null) members[theme]?.push(passage)
    }
  }
  return members
}

/** The other theme of a passage that says what the person wants, or repeats what the unit says about it. */
function otherTheme(
  { roots, passages, passageRoots }: Unit,
  at: number,
  chosen: readonly string[],
  main: number | null,
): number | null {
  const own = passageRoots[at]
  const mainRoot = main === null ? undefined : chosen[main]
  if (mainRoot !== undefined && own?.has(mainRoot)) return null
  const isClear = (passages[at]?.concern.weight ?? 0) >= CLEAR
  const weights = chosen.map((root) => {
    const weight = own?.get(root) ?? 0
    const isRepeated = (roots.get(root) ?? 0) > weight
    return isClear || isRepeated || weight >= CLEAR_NOUN ? weight : 0
  })
  const other = strongest(weights, MIN_WEIGHT)
  return other === main ? null : other
}
