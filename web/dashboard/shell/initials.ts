/** A letter with its accents, or a digit, at the beginning of a word. */
const INITIAL = /^(\p{L}\p{M}*|\p{N})/u

/** `MJ` for Mara Janssen: of the first and the last word, for phones, where a name has no room. */
export function initialsOf(name: string): string {
  const initials = name.split(/[\s@.]+/u).flatMap((word) => word.match(INITIAL)?.[0] ?? [])
  const shown = initials.length > 1 ? [initials[0], initials.at(-1)] : initials
  return shown.join('').toLocaleUpperCase() || '…'
}
