import type { Unit } from '../units.ts'

const MAX_THEMES = 12
/** A theme needs at least this many conversations. */
export const MIN_CONVERSATIONS = 2
/** The same, if these conversations already belong to other themes. */
const MIN_FOR_SECOND = 3
/** The weight of a word in a unit that has a theme. */
const COVERED = 0.25
/** Below it, a word is mentioned in passing. */
export const MIN_WEIGHT = 0.6

interface Use {
  conversation: string
  unit: Unit
  /** The position of the passage in the unit. */
  at: number
  weight: number
}

/**
 * The words that themes are about, the strongest first. A sentence with a chosen word no longer counts, and other sentences of its unit
 * count less: most statements have one subject.
 */
export function chooseWords(units: readonly Unit[], bonus: (root: string) => number): string[] {
  const uses = usesOf(units)
  const coveredUnits = new Set<Unit>()
  const chosen: string[] = []
  const freedom = ({ unit, at }: Use) => {
    if (!coveredUnits.has(unit)) return 1
    return chosen.some((root) => unit.passageRoots[at]?.has(root)) ? 0 : COVERED
  }
  while (chosen.length < MAX_THEMES) {
    const root = strongest(uses, (list, one) => bonus(one) * gainOf(list, freedom, units.length))
    if (root === null) break
    chosen.push(root)
    for (const { unit } of uses.get(root) ?? []) coveredUnits.add(unit)
    uses.delete(root)
  }
  return chosen
}

const isAbout = (unit: Unit, root: string): boolean => (unit.roots.get(root) ?? 0) >= MIN_WEIGHT

/** Words that enough conversations are about, and where they occur. */
function usesOf(units: readonly Unit[]): Map<string, Use[]> {
  const uses = new Map<string, Use[]>()
  for (const unit of units)
    for (const root of unit.roots.keys()) {
      if (!isAbout(unit, root)) continue
      const list = uses.get(root) ?? []
      uses.set(root, list)
      // A tag counts for the first sentence: it is about the whole conversation.
      const tagged = unit.passageRoots.every((roots) => !roots.has(root))
      for (const [at, roots] of unit.passageRoots.entries()) {
        const weight = tagged && at === 0 ? unit.roots.get(root) : roots.get(root)
        if (weight !== undefined) list.push({ conversation: unit.conversation, unit, at, weight })
      }
    }
  for (const [root, list] of uses)
    if (new Set(list.map(({ conversation }) => conversation)).size < MIN_CONVERSATIONS) uses.delete(root)
  return uses
}

/** The weight of a word in sentences without a theme; 0 if they are of too few conversations. */
function gainOf(uses: readonly Use[], freedom: (use: Use) => number, total: number): number {
  const weights = new Map<Unit, number>()
  const free = new Set<string>()
  const all = new Set<string>()
  for (const use of uses) {
    const share = freedom(use)
    if (share === 0) continue
    weights.set(use.unit, (weights.get(use.unit) ?? 0) + share * use.weight)
    all.add(use.conversation)
    if (share === 1) free.add(use.conversation)
  }
  if (free.size < MIN_CONVERSATIONS && all.size < MIN_FOR_SECOND) return 0
  const weight = weights.values().reduce((sum, one) => sum + Math.log2(1 + one), 0)
  return weight * Math.log(1 + total / new Set(uses.map(({ unit }) => unit)).size)
}

/** The first of equals. */
function strongest(
  uses: ReadonlyMap<string, Use[]>,
  score: (list: readonly Use[], root: string) => number,
): string | null {
  let best: [root: string | null, score: number] = [null, 0]
  for (const [root, list] of uses) {
    const own = score(list, root)
    if (own > best[1]) best = [root, own]
  }
  return best[0]
}
