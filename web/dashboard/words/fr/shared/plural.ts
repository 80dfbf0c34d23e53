const rules = new Intl.PluralRules('fr')

/** Zero is singular in French. */
export const plural = (count: number, one: string, other: string): string =>
  `${count.toLocaleString('fr')} ${rules.select(count) === 'one' ? one : other}`
