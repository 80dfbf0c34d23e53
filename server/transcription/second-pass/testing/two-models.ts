import { once } from 'node:events'
import { type Phrase, wordClock } from '../../../../test/support/word-clock.ts'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import type { Segment, Transcriber } from '../../transcriber.ts'

export interface TwoModels extends Transcriber {
  /** The model of each request so far, with the times of its audio. */
  requests: { quality: 'fast' | 'best'; start: number; end: number }[]
  /** The better model's transcript of a segment. */
  better(segment: Segment): Segment[]
  /** The next requests to the better model wait until the returned function is called. */
  hold(): () => void
  /** How many requests to the better model there were. */
  readonly passed: number
}

/** The first word of each phrase is wrong. */
export const misheard = (segment: Segment): Segment => ({
  ...segment,
  text: `mis${segment.text}`,
  confidence: 0.8,
})

export const wellHeard = (segment: Segment): Segment[] => [{ ...segment, confidence: 0.9 }]

/** A word clock whose fast model mishears, and whose better one does not. */
export function twoModels(breaths: readonly Phrase[]): TwoModels {
  const clock = wordClock(breaths, 1)
  let gate = Promise.resolve()
  const engine: TwoModels = {
    requests: [],
    better: wellHeard,
    capabilities: { ...clock.capabilities, models: { fast: 'quick', best: 'thorough' } },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    get passed() {
      return engine.requests.filter(({ quality }) => quality === 'best').length
    },
    async transcribe(request) {
      const { quality = 'fast', signal } = request
      const result = await clock.transcribe(request)
      const [start, end] = clock.ranges.at(-1) ?? [0, 0]
      engine.requests.push({ quality, start, end })
      if (quality === 'fast') return { ...result, segments: result.segments.map(misheard) }
      await Promise.race([gate, once(signal, 'abort')])
      if (signal.aborted) throw new EngineFailure('unavailable', 'The worker stops.')
      return { ...result, segments: result.segments.flatMap(engine.better) }
    },
    close: async () => {},
  }
  return engine
}
