interface Theme {
  /** Empty for statements without a theme. */
  heading: string
  voices: { all: number } | null
}

/** Sections can be in another order: a model or a member chose it, or a conversation was withdrawn. */
export const themesByCount = <T extends Theme>(sections: readonly T[]): T[] =>
  sections
    .filter(({ voices }) => voices !== null)
    .toSorted(
      (a, b) =>
        Number(a.heading === '') - Number(b.heading === '') || (b.voices?.all ?? 0) - (a.voices?.all ?? 0),
    )
