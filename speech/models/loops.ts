/** A phrase said so often in a row was not said: models of this kind get stuck. */
const REPEATS = 4
const LONGEST_PHRASE = 20

/** Without the repetitions of a phrase that a stuck decoder ends in; its first time stays. */
export function dropLoop(tokens: readonly number[]): number[] {
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    const repeats = repeatsAtEnd(tokens, length)
    // Few signs repeat by nature ("no, no, no, no"): short phrases need more of them.
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
