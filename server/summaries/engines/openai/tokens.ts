/** Scripts in which each character is a word or a syllable. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
const LATIN = /[\p{Script=Latin}\p{Script=Common}]/gu

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Estimates the tokens of a text: one per four Latin characters, per two of most other scripts, per one of the dense scripts. */
export function estimateTokens(text: string): number {
  const dense = count(text, DENSE)
  const latin = count(text, LATIN)
  return Math.ceil(latin / 4 + dense + Math.max(0, text.length - latin - dense) / 2)
}
