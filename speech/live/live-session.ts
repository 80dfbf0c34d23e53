import { decodeAudio } from '../../media/decode/decode.ts'
import { KeptDecoder } from '../../media/decode/kept-decoder.ts'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { SpeechStream } from '../speech-stream.ts'
import type { ResumeJob, Setup } from '../transcribe.ts'
import type { Container, Segment } from '../types.ts'

export interface SessionStart {
  conversation: string
  position: string
  /** Language, candidates and hotwords: a session is for one choice of them. */
  settings: string
  stream: SpeechStream
  finishedTo: number
  /** The time of the end of the audio so far, in the stream's seconds. */
  end: number
  decoder: KeptDecoder | null
  /** The file that the decoder has, and how many samples of it were decoded. */
  file: { container: Container; samples: number } | null
}

/** Times are seconds from the beginning of the chunk. */
interface SessionResult {
  segments: Segment[]
  finishedTo: number
  /** Samples. */
  decoded: number
}

/** Times are stored in milliseconds, and the lengths of chunks, too. */
const TOLERANCE = 0.005

/** What is remembered of a live conversation: its voice detection, language, unfinished speech and decoder. */
export class LiveSession {
  readonly conversation: string
  usedAt = Date.now()
  decoder: KeptDecoder | null
  private position: string
  private readonly settings: string
  private readonly stream: SpeechStream
  private finishedTo: number
  private end: number
  private file: SessionStart['file']

  constructor(start: SessionStart) {
    this.conversation = start.conversation
    this.position = start.position
    this.settings = start.settings
    this.stream = start.stream
    this.finishedTo = start.finishedTo
    this.end = start.end
    this.decoder = start.decoder
    this.file = start.file
  }

  /** Whether it ended where the job begins. */
  fits({ live, from }: ResumeJob, settings: string): boolean {
    return (
      live.after === this.position &&
      settings === this.settings &&
      Math.abs(this.finishedTo - this.end - from) <= TOLERANCE
    )
  }

  /** Null if the chunk cannot be decoded here. A rejected session must not be used again. */
  async transcribe(job: ResumeJob, setup: Setup, mayKeepDecoder: boolean): Promise<SessionResult | null> {
    if (mayKeepDecoder) this.decoder ??= new KeptDecoder(setup.limits)
    // A file is continued only in the decoder that has its beginning.
    const isDecodable = !job.isContinued || (this.decoder !== null && this.file?.container === job.container)
    if (!isDecodable) return null
    const before = job.isContinued ? (this.file?.samples ?? 0) : 0
    let decoded = 0
    async function* counted(blocks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
      for await (const block of blocks) {
        setup.onStep()
        decoded += block.length
        yield block
      }
    }
    const result = await this.stream.transcribeSoFar(counted(this.decode(job, before, setup)))
    if (decoded === 0) return null
    const start = this.end
    this.end += decoded / SAMPLE_RATE
    this.file = this.decoder ? { container: job.container, samples: before + decoded } : null
    this.finishedTo = result.finishedTo
    this.position = job.live.position
    const toChunk = <T extends { start: number; end: number }>(timed: T): T => ({
      ...timed,
      start: timed.start - start,
      end: timed.end - start,
    })
    return {
      segments: result.segments.map(({ words, ...segment }) => ({
        ...toChunk(segment),
        ...(words && { words: words.map(toChunk) }),
      })),
      finishedTo: result.finishedTo - start,
      decoded,
    }
  }

  private decode(job: ResumeJob, before: number, setup: Setup): AsyncIterable<Float32Array> {
    const { path, container, isContinued } = job
    if (!this.decoder) return decodeAudio({ path, container, ...setup, skip: 0 })
    return this.decoder.decode({ path, container, isContinued, skip: before, signal: setup.signal })
  }

  close(): void {
    this.decoder?.close()
  }
}
