/** `MJ` for Mara Janssen: the first and the last word, for phones, where a name has no room. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const shown = words.length > 1 ? [words[0], words.at(-1)] : words
  return shown.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase()).join('')
}
