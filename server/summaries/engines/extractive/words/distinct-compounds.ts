import { countsOf } from '../similarity.ts'

/** A word or phrase that contains other words: "car park", "Fahrschule". */
export interface Compound {
  /** The words in it that are subjects when they stand alone. */
  parts: readonly string[]
  /** The word that others share with it, in "car park" and "retail park". */
  head: string
  modifier: string
  /** It is one thing by its form: written together, or joined by a preposition. Otherwise it can be any two words in a row. */
  isFixed: boolean
}

/** A sentence or clause: its compounds, and its other words. All are stems. */
export interface Uses {
  conversation: string
  compounds: readonly string[]
  words: readonly string[]
}

/** One person can use a word in passing. */
const MIN_PEOPLE = 2
/** More people are needed where the modifier is the other subject: most such compounds are parts of it, as the school gate is of the school. */
const MIN_FOR_MODIFIER = 3
/** If a larger share of the people who use the head alone also say the modifier, it belongs to the head ("swim" in the pool). */
const MAX_WITH_MODIFIER = 0.2
/** If a larger share of the people who say the compound also use a part alone, the part is a short form. */
const MAX_SHORTENED = 0.2
/** Above it, those who say the compound and those who say its part speak about the same. */
const MAX_SIMILARITY = 0.25

/**
 * The compounds that are about another subject than their parts. Evidence for the same subject: a person who also uses the part alone, in
 * another sentence ("our swimming pool … the pool"), and words around them that both groups of people share.
 */
export function distinctCompounds(
  uses: readonly Uses[],
  compounds: ReadonlyMap<string, Compound>,
): Set<string> {
  const people = new Map<string, Set<string>>()
  for (const { conversation, compounds: own } of uses)
    for (const id of own) people.set(id, (people.get(id) ?? new Set()).add(conversation))
  const isShared = (id: string) => (people.get(id)?.size ?? 0) >= MIN_PEOPLE
  const shared = [...compounds].filter(([id]) => isShared(id))
  const talks = talksOf(uses, (id) => isShared(id), compounds)
  const spread = countsOf(talks.flatMap(({ words }) => [...words]))
  const rarity = (word: string) => Math.log(1 + talks.length / (spread.get(word) ?? 1))
  const distinct = new Set<string>()
  for (const [id, { parts, head, modifier }] of shared) {
    const own = talks.filter(({ compounds: said }) => said.has(id))
    const ignored = new Set([id, ...parts])
    const rivalsOf = (part: string) => {
      const alone = talks.filter((one) => one.words.has(part) && !one.compounds.has(id))
      const others = shared
        .filter(([other, { parts: theirs }]) => other !== id && theirs.includes(part))
        .map(([other]) => talks.filter((one) => one.compounds.has(other) && !one.compounds.has(id)))
      return [alone, ...others].filter((group) => group.length > 0)
    }
    const isOther = (group: readonly Talk[], part: string): boolean => {
      const withModifier = group.filter(({ words }) => words.has(modifier)).length
      if (part === head && withModifier > MAX_WITH_MODIFIER * group.length) return false
      if (part !== head && own.length < MIN_FOR_MODIFIER) return false
      return similarity(own, group, rarity, ignored) <= MAX_SIMILARITY
    }
    const shortened = own.filter(({ words }) => parts.some((part) => words.has(part)))
    const isShortened = shortened.length > MAX_SHORTENED * own.length
    if (isShortened) continue
    const rivals = parts.flatMap((part) => rivalsOf(part).map((group) => ({ group, part })))
    if (rivals.length > 0 && rivals.every(({ group, part }) => isOther(group, part))) distinct.add(id)
  }
  // Such a head has several meanings, so that other compounds are not about the head, either.
  const heads = new Set(
    [...distinct].flatMap((id) => {
      const { head = '', parts = [] } = compounds.get(id) ?? {}
      return parts.includes(head) ? [head] : []
    }),
  )
  for (const [id, { head, isFixed }] of compounds)
    if (isFixed && !isShared(id) && heads.has(head)) distinct.add(id)
  return distinct
}

/** The words of a conversation. A word in a sentence with a compound of it does not count as used alone. */
interface Talk {
  compounds: Set<string>
  words: Set<string>
}

function talksOf(
  uses: readonly Uses[],
  isShared: (id: string) => boolean,
  compounds: ReadonlyMap<string, Compound>,
): Talk[] {
  return [...Map.groupBy(uses, ({ conversation }) => conversation).values()].map((sentences) => {
    const talk: Talk = { compounds: new Set(), words: new Set() }
    for (const { compounds: own, words } of sentences) {
      const inCompounds = new Set(own.filter(isShared).flatMap((id) => compounds.get(id)?.parts ?? []))
      for (const id of own) talk.compounds.add(id)
      for (const word of words) if (!inCompounds.has(word)) talk.words.add(word)
    }
    return talk
  })
}

/** The cosine of the words that two groups of people use; rare words count more. */
function similarity(
  own: readonly Talk[],
  others: readonly Talk[],
  rarity: (word: string) => number,
  ignored: ReadonlySet<string>,
): number {
  const vectorOf = (group: readonly Talk[]) => {
    const counts = countsOf(group.flatMap(({ words }) => [...words].filter((word) => !ignored.has(word))))
    return new Map([...counts].map(([word, count]) => [word, (count / group.length) * rarity(word)]))
  }
  const [one, other] = [vectorOf(own), vectorOf(others)]
  const product = one.entries().reduce((sum, [word, weight]) => sum + weight * (other.get(word) ?? 0), 0)
  const length = Math.hypot(...one.values()) * Math.hypot(...other.values())
  return length === 0 ? 0 : product / length
}
