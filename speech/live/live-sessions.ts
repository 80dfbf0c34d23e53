import { KeptDecoder } from '../../media/decode/kept-decoder.ts'
import type { DecodeLimits } from '../../media/decode/limits.ts'
import {
  type DecodeFile,
  decoderOf,
  type Job,
  openStream,
  type ResumeJob,
  type Setup,
  transcribe,
  transcriptionOf,
} from '../transcribe.ts'
import type { Container, LiveChunk, Transcription } from '../types.ts'
import { LiveSession } from './live-session.ts'

type LiveJob = Job & { live: LiveChunk }

/** Recorders send a chunk every few seconds. After a longer pause the files are decoded again. */
const IDLE_MS = 90_000
const MAX_SESSIONS = 200
/** Each takes about 100 MB. With more conversations, some start a process for each chunk. */
const MAX_DECODERS = 12
/** Our decoder reads them; others can need ffmpeg. */
const KEPT_CONTAINERS = new Set<Container>(['webm', 'ogg', 'mp4', 'wav', 'flac', 'mp3'])

/** The live conversations of this process. Their audio and text are only in memory, and for a short time. */
export class LiveSessions {
  private readonly sessions = new Map<string, LiveSession>()

  constructor() {
    setInterval(() => this.closeIdle(), IDLE_MS / 3).unref()
  }

  /** Transcribes a file, and remembers what the next chunk needs. */
  async start(job: LiveJob, setup: Setup): Promise<Transcription> {
    this.take(job.live.conversation)?.close()
    const decoder = this.openDecoder(job.container, setup.limits)
    if (!decoder) return (await this.open(job, setup, null)).transcription
    try {
      const { transcription, session } = await this.open(job, setup, decoder)
      if (!session) decoder.close()
      return transcription
    } catch (error) {
      decoder.close()
      if (setup.signal.aborted) throw error
      // A new process gives the reason, or ffmpeg can decode it.
      return transcribe(job, setup)
    }
  }

  /** Null if there is no session that ends with the previous chunk. */
  async resume(job: ResumeJob, setup: Setup): Promise<Transcription | null> {
    const session = this.take(job.live.conversation)
    if (!session) return null
    const mayKeepDecoder = KEPT_CONTAINERS.has(job.container) && this.hasRoomForDecoder()
    const result = session.fits(job, settingsOf(job))
      ? await session.transcribe(job, setup, mayKeepDecoder).catch(() => null)
      : null
    setup.signal.throwIfAborted()
    if (!result) {
      session.close()
      return null
    }
    this.keep(session)
    return transcriptionOf(result, { decoded: result.decoded, isWhole: true }, job.from)
  }

  close(): void {
    for (const conversation of this.sessions.keys()) this.take(conversation)?.close()
  }

  private async open(job: LiveJob, setup: Setup, decoder: KeptDecoder | null) {
    const { stream, decoding, finishedTo } = await openStream(job, setup, decodeWith(decoder, setup))
    const result = await stream.transcribeSoFar(decoding.samples())
    const transcription = transcriptionOf(result, decoding, finishedTo)
    if (!decoding.isWhole || decoding.decoded === 0) return { transcription, session: null }
    const { conversation, position } = job.live
    const end = transcription.duration
    const session = new LiveSession({
      conversation,
      position,
      settings: settingsOf(job),
      stream,
      finishedTo: result.finishedTo,
      end,
      decoder,
      file: decoder && { container: job.container, samples: decoding.decoded },
    })
    this.keep(session)
    return { transcription, session }
  }

  private openDecoder(container: Container, limits: DecodeLimits): KeptDecoder | null {
    return KEPT_CONTAINERS.has(container) && this.hasRoomForDecoder() ? new KeptDecoder(limits) : null
  }

  private hasRoomForDecoder(): boolean {
    return [...this.sessions.values()].filter(({ decoder }) => decoder !== null).length < MAX_DECODERS
  }

  private take(conversation: string): LiveSession | null {
    const session = this.sessions.get(conversation) ?? null
    this.sessions.delete(conversation)
    return session
  }

  private keep(session: LiveSession): void {
    session.usedAt = Date.now()
    this.sessions.set(session.conversation, session)
    const oldest = this.sessions.size > MAX_SESSIONS ? this.sessions.keys().next().value : undefined
    if (oldest !== undefined) this.take(oldest)?.close()
  }

  private closeIdle(): void {
    for (const { conversation, usedAt } of this.sessions.values())
      if (Date.now() - usedAt > IDLE_MS) this.take(conversation)?.close()
  }
}

/** Starting a process for each file before the chunk would take longer than transcribing the chunk. */
function decodeWith(decoder: KeptDecoder | null, setup: Setup): DecodeFile {
  const decodeApart = decoderOf(setup)
  return ({ path, container }, skip) =>
    decoder && KEPT_CONTAINERS.has(container)
      ? decoder.decode({ path, container, isContinued: false, skip, signal: setup.signal })
      : decodeApart({ path, container }, skip)
}

const settingsOf = ({ language, candidates, hotwords }: Pick<Job, 'language' | 'candidates' | 'hotwords'>) =>
  JSON.stringify([language, candidates, hotwords])
