const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** Whether all typed words occur in the texts, with or without accents. */
export function matches(typed: string, ...texts: (string | null | undefined)[]): boolean {
  const within = plain(texts.filter(Boolean).join(' '))
  return plain(typed)
    .split(/\s+/)
    .every((word) => within.includes(word))
}
