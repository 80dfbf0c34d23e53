/** The share of `hits` in `total`, 1 if there is nothing to hit. */
export const share = (hits: number, total: number): number => (total === 0 ? 1 : hits / total)

const mean = (values: readonly number[]): number =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )

export const f1 = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)

/** The themes of each person. A person without a theme counts as a separate theme. */
export type Themes = readonly ReadonlySet<string>[]

/**
 * Extended B-cubed (Amigó et al. 2009): per person, how far the people in the same themes are those of the same subject.
 * A person can be in several themes.
 */
export function bCubed(found: Themes, gold: Themes): { precision: number; recall: number; f1: number } {
  const precision = mean(found.map((_, one) => agreement(found, gold, one)))
  const recall = mean(found.map((_, one) => agreement(gold, found, one)))
  return { precision, recall, f1: f1(precision, recall) }
}

/** Pairs of people who share a theme, against pairs with the same subject. Stricter than B-cubed: a person alone counts for nothing. */
export function pairwise(found: Themes, gold: Themes): { precision: number; recall: number; f1: number } {
  const pairs = found.flatMap((_, one) => found.slice(0, one).map((_other, other) => [one, other] as const))
  const isIn = (themes: Themes) => (pair: readonly [number, number]) => sharedBy(themes, ...pair) > 0
  const together = pairs.filter(isIn(found))
  const precision = share(together.filter(isIn(gold)).length, together.length)
  const recall = share(together.filter(isIn(gold)).length, pairs.filter(isIn(gold)).length)
  return { precision, recall, f1: f1(precision, recall) }
}

/** Over all people who share a theme with one person: how many of these shared themes the other division has, too. */
function agreement(themes: Themes, others: Themes, one: number): number {
  const values = themes.flatMap((_, other) => {
    const shared = sharedBy(themes, one, other)
    return shared === 0 ? [] : [Math.min(shared, sharedBy(others, one, other)) / shared]
  })
  return mean(values)
}

const sharedBy = (themes: Themes, one: number, other: number): number =>
  themes[one]?.intersection(themes[other] ?? new Set()).size ?? 0
