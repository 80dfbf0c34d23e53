/** A phrase repeated so often in a row was not said: models of this kind get stuck. */
const REPEATS = 4
const LONGEST_PHRASE = 20

/** Removes the repetitions at the end of a stuck decoder's output, except the first. */
export function dropLoop(tokens: readonly number[]): number[] {
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    const repeats = repeatsAtEnd(tokens, length)
    // Short phrases can be repeated naturally ("no, no, no, no") and need more repetitions.
    if (repeats >= REPEATS && repeats * length >= 12)
      return tokens.slice(0, tokens.length - (repeats - 1) * length)
  }
  return [...tokens]
}

function repeatsAtEnd(tokens: readonly number[], length: number): number {
  let matching = 0
  for (
    let index = tokens.length - 1 - length;
    index >= 0 && tokens[index] === tokens[index + length];
    index--
  )
    matching++
  return 1 + Math.floor(matching / length)
}
