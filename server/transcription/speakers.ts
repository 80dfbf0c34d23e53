import { type Phrase, sharedMs } from './overlap.ts'

/**
 * Engines label speakers within one request: `A` of one chunk and `A` of the next can be two people. A speaker who talks in the
 * overlap keeps the label of the stored phrase; other labels get the number of their chunk as a prefix, except in the first.
 */
export function speakersOf(
  seq: number,
  phrases: readonly Phrase[],
  earlier: readonly Pick<Phrase, 'start' | 'end' | 'speaker'>[],
): Phrase[] {
  const known = new Map<string, string>()
  for (const { speaker, ...phrase } of phrases) {
    if (speaker === undefined || known.has(speaker)) continue
    const same = earlier.find((one) => one.speaker !== undefined && sharedMs(one, phrase) > 0)
    known.set(speaker, same?.speaker ?? (seq === 0 ? speaker : `${seq + 1}.${speaker}`))
  }
  return phrases.map(({ speaker, ...phrase }) => ({
    ...phrase,
    ...(speaker !== undefined && { speaker: known.get(speaker) ?? speaker }),
  }))
}
