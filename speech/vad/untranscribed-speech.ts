import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { SpeechSegment } from './find-speech.ts'

/** Times are stored in milliseconds. */
const TOLERANCE = 0.005

/**
 * Leaves out speech that was transcribed earlier. The audio before `finishedTo` is searched for speech again, so that the speech after
 * it is divided as if there had been no interruption.
 */
export class UntranscribedSpeech {
  private readonly finishedTo: number
  /** The last segment that was left out. */
  private previous: SpeechSegment | null = null

  constructor(finishedTo: number) {
    this.finishedTo = finishedTo
  }

  /** Returns the parts of the next segment that have to be transcribed. */
  add(segment: SpeechSegment): SpeechSegment[] {
    const wanted = this.of(segment)
    this.previous = wanted.length === 0 ? segment : null
    return wanted
  }

  /** The same for speech that is not finished. It is added later. */
  of(segment: SpeechSegment): SpeechSegment[] {
    if (segment.end <= this.finishedTo + TOLERANCE) return []
    if (this.previous && this.isJoined(segment)) return [this.previous, segment]
    return [segment.start >= this.finishedTo - TOLERANCE ? segment : this.withoutTranscribed(segment)]
  }

  /** Whether the text before `finishedTo` ends with words that the segment shares with the one before: both are needed to find them. */
  private isJoined({ start, overlap }: SpeechSegment): boolean {
    return overlap > 0 && Math.abs(this.finishedTo - start) <= overlap + TOLERANCE
  }

  private withoutTranscribed(segment: SpeechSegment): SpeechSegment {
    const { start, overlap, samples } = segment
    const transcribed = Math.round((this.finishedTo - start + overlap) * SAMPLE_RATE)
    return { ...segment, start: this.finishedTo, overlap: 0, samples: samples.slice(transcribed) }
  }
}
