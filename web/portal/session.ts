import { type Answers, type Project, sendHeartbeat } from './api.ts'
import { claimRecording } from './outbox/claim.ts'
import type { Recording } from './outbox/outbox.ts'
import { createSender, type Sender, type Sending } from './outbox/sender.ts'
import type { OverflowingOutbox } from './outbox/with-overflow.ts'
import { closeMicrophone, type MicrophoneError, openMicrophone } from './recorder/microphone.ts'
import { type FileRecorder, type RecordedPiece, recordFile } from './recorder/recorder.ts'
import { keepScreenOn } from './recorder/wake-lock.ts'

export type Phase = 'starting' | 'recording' | 'paused' | 'lost' | 'stopped'

/** What the page shows about the recording in progress. */
export interface SessionState {
  phase: Phase
  /** Whether the phone has silenced the microphone, as it does during a call. */
  isMuted: boolean
  recordedMs: number
  sentMs: number
  chunks: number
  sentChunks: number
  sending: Sending
  /** How long the browser did not record while the page was in the background; null if it did not happen. */
  gapMs: number | null
  isFull: boolean
}

/** Until the server has started the conversation and said how long chunks should be. */
const CHUNK_SECONDS = 5
/** Longer without a piece than any phone needs for one. */
const GAP_MS = 3_000
const HEARTBEAT_MS = 120_000
/** Between attempts to find a microphone after one was lost. */
const REOPEN_MS = 2_000

/** One conversation of this page: records, saves and sends it. Call `dispose` when the page no longer shows it. */
export class Session {
  readonly recording: Recording
  private readonly outbox: OverflowingOutbox
  private readonly sender: Sender
  private readonly listeners = new Set<() => void>()
  private readonly over = new AbortController()
  private stream: MediaStream | null = null
  private file: FileRecorder | null = null
  private phase: Phase = 'stopped'
  private isMuted = false
  private seq = 0
  /** The length of the chunk that is being recorded. */
  private chunkMs = 0
  private recordedMs = 0
  private sentMs = 0
  private sentChunks = 0
  private gapMs: number | null = null
  private lastPieceAt = 0
  private deviceId: string | undefined
  private releaseScreen: (() => void) | null = null

  private constructor(outbox: OverflowingOutbox, recording: Recording) {
    this.outbox = outbox
    this.recording = recording
    const { signal } = this.over
    document.addEventListener('visibilitychange', () => this.checkBackground(), { signal })
    addEventListener('pagehide', () => this.file?.flush(), { signal })
    this.sender = createSender(outbox, recording, () => void this.countSent())
    const heartbeat = setInterval(() => this.keepOpen(), HEARTBEAT_MS)
    signal.addEventListener('abort', () => clearInterval(heartbeat))
  }

  /** Starts a conversation with the participant's answers. */
  static async create(outbox: OverflowingOutbox, project: Project, answers: Answers): Promise<Session> {
    const recording: Recording = {
      id: randomId(),
      projectId: project.id,
      answers,
      started: null,
      startedAt: Date.now(),
      sealed: 0,
      isFinished: false,
      text: null,
    }
    await claimRecording(recording.id)
    await outbox.save(recording)
    return new Session(outbox, recording)
  }

  /** Continues with a recording that an earlier page left. Its last, incomplete chunk is complete now. */
  static async reopen(outbox: OverflowingOutbox, recording: Recording): Promise<Session> {
    const chunks = await outbox.chunks(recording.id)
    recording.sealed = Math.max(recording.sealed, (chunks.at(-1)?.seq ?? -1) + 1)
    await outbox.save(recording)
    const session = new Session(outbox, recording)
    session.seq = recording.sealed
    session.recordedMs = chunks.reduce((sum, { durationMs }) => sum + durationMs, 0)
    await session.countSent()
    return session
  }

  get state(): SessionState {
    const { phase, isMuted, recordedMs, sentMs, sentChunks, gapMs, sender } = this
    const chunks = this.recording.sealed
    const { isFull } = this.outbox
    return { phase, isMuted, recordedMs, sentMs, sentChunks, gapMs, chunks, isFull, sending: sender.state }
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get microphone(): MediaStream | null {
    return this.stream
  }

  /** Records from this microphone; it is closed by `stop`. */
  start(stream: MediaStream): void {
    this.stream = stream
    const [track] = stream.getAudioTracks()
    this.deviceId = track?.getSettings().deviceId
    this.isMuted = track?.muted ?? false
    track?.addEventListener('mute', () => this.mute(true))
    track?.addEventListener('unmute', () => this.mute(false))
    this.phase = 'starting'
    this.lastPieceAt = Date.now()
    this.file = recordFile(stream, {
      onPiece: (piece) => this.addPiece(piece),
      onLost: () => void this.reopenMicrophone(),
    })
    this.releaseScreen ??= keepScreenOn()
    this.changed()
  }

  pause(): void {
    this.file?.pause()
    this.phase = 'paused'
    this.changed()
  }

  resume(): void {
    this.lastPieceAt = Date.now()
    this.file?.resume()
    this.phase = 'recording'
    this.changed()
  }

  /** Ends the recording; it can be continued by `start`. Resolves when everything is saved. */
  async stop(): Promise<void> {
    const { file, stream } = this
    this.phase = 'stopped'
    this.file = null
    this.stream = null
    await file?.stop()
    closeMicrophone(stream)
    this.releaseScreen?.()
    this.releaseScreen = null
    await this.seal()
    this.changed()
  }

  /** Says that the conversation is complete. The state becomes `finished` when the server has everything. */
  async finish(text: string | null = null): Promise<void> {
    this.recording.text = text ?? this.recording.text
    this.recording.isFinished = true
    await this.outbox.save(this.recording)
    this.sender.wake()
  }

  retry(): void {
    this.sender.retry()
  }

  dispose(): void {
    this.over.abort()
    this.sender.stop()
    void this.file?.stop()
    closeMicrophone(this.stream)
    this.releaseScreen?.()
  }

  private async addPiece({ beginsFile, ...piece }: RecordedPiece): Promise<void> {
    const { recording } = this
    await this.outbox.addPiece({ recordingId: recording.id, seq: this.seq, ...piece }, beginsFile)
    this.lastPieceAt = Date.now()
    this.chunkMs += piece.durationMs
    this.recordedMs += piece.durationMs
    if (this.phase === 'starting') this.phase = 'recording'
    if (this.chunkMs >= 1_000 * (recording.started?.chunk_seconds ?? CHUNK_SECONDS)) await this.seal()
    this.changed()
  }

  /** Completes the current chunk, so that it is sent. */
  private async seal(): Promise<void> {
    if (this.chunkMs === 0) return
    this.chunkMs = 0
    this.seq += 1
    this.recording.sealed = this.seq
    await this.outbox.save(this.recording)
    this.sender.wake()
  }

  private async countSent(): Promise<void> {
    const sent = (await this.outbox.chunks(this.recording.id)).filter(({ isSent }) => isSent)
    this.sentMs = sent.reduce((sum, { durationMs }) => sum + durationMs, 0)
    this.sentChunks = sent.length
    this.changed()
  }

  private mute(isMuted: boolean): void {
    this.isMuted = isMuted
    this.changed()
  }

  /** After a headset was unplugged, or the phone took the microphone away: goes on with another one, in a new file. */
  private async reopenMicrophone(): Promise<void> {
    closeMicrophone(this.stream)
    this.stream = null
    this.file = null
    if (this.phase === 'stopped') return
    const wasPaused = this.phase === 'paused'
    this.phase = 'lost'
    await this.seal()
    this.changed()
    while (!this.over.signal.aborted && this.phase === 'lost') {
      // The same microphone if it is still there.
      const stream =
        (await openMicrophone(this.deviceId).catch(() => null)) ??
        (await openMicrophone().catch((error: MicrophoneError) => error))
      if (this.phase !== 'lost') return stream instanceof MediaStream ? closeMicrophone(stream) : undefined
      if (stream instanceof MediaStream) {
        this.start(stream)
        if (wasPaused) this.pause()
        return
      }
      await new Promise((resolve) => setTimeout(resolve, REOPEN_MS))
    }
  }

  /** Phones stop pages in the background, and do not say so. */
  private checkBackground(): void {
    if (document.hidden) {
      this.file?.flush()
      return
    }
    const missing = Date.now() - this.lastPieceAt
    if (this.phase === 'recording' && missing > GAP_MS) this.gapMs = (this.gapMs ?? 0) + missing
    this.changed()
  }

  private keepOpen(): void {
    const { started } = this.recording
    if (this.phase === 'paused' && started) void sendHeartbeat(started).catch(() => {})
  }

  private changed(): void {
    for (const listener of this.listeners) listener()
  }
}

/** 128 bits. `crypto.randomUUID` is missing on pages without https, where one can still type. */
const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
