import { type Answers, type Project, sendHeartbeat } from './api.ts'
import { claimRecording } from './outbox/claim.ts'
import { lengthOf, lostLengthOf, newRecording, type Recording, randomId } from './outbox/outbox.ts'
import type { End } from './outbox/send-recording.ts'
import { createSender, type Sender, type Sending } from './outbox/sender.ts'
import type { OverflowingOutbox } from './outbox/with-overflow.ts'
import { ContinuousRecorder, type Phase } from './recorder/continuous.ts'
import type { MicrophoneProblem } from './recorder/microphone.ts'
import type { RecordedPiece } from './recorder/recorder.ts'

/** The recording in progress, as the page shows it. */
export interface SessionState {
  phase: Phase
  /** Whether the phone has silenced the microphone, as it does during a call. */
  isMuted: boolean
  /** Why no other microphone has been found since one was lost. */
  problem: MicrophoneProblem | null
  recordedMs: number
  sentMs: number
  /** Audio that the server has refused so far. */
  refusedMs: number
  /** Audio that this device has lost before it was sent, as when the data of the site was deleted. */
  lostMs: number
  chunks: number
  sentChunks: number
  sending: Sending
  /** How long the browser did not record while the page was in the background; null if it did not happen. */
  gapMs: number | null
  isFull: boolean
}

/** The length of chunks until the server has started the conversation and stated it. */
const CHUNK_SECONDS = 5
const HEARTBEAT_MS = 120_000

/** One conversation of this page: records, saves and sends it. Call `dispose` when the page no longer shows it. */
export class Session {
  readonly recording: Recording
  /** How the conversation ended, last. Audio sent after that does not change it before the next end. */
  end: End | null = null
  private readonly outbox: OverflowingOutbox
  private readonly recorder: ContinuousRecorder
  private readonly sender: Sender
  private readonly heartbeat: ReturnType<typeof setInterval>
  private readonly listeners = new Set<() => void>()
  private seq = 0
  /** The length of the chunk that is being recorded. */
  private chunkMs = 0
  private recordedMs = 0
  private sentMs = 0
  private refusedMs = 0
  private lostMs = 0
  private sentChunks = 0
  /** The number of the first chunk whose file began after the last loss. */
  private intactFrom = 0
  private readonly stopWatching: () => void
  private isDisposed = false

  private constructor(outbox: OverflowingOutbox, recording: Recording) {
    this.outbox = outbox
    this.recording = recording
    this.recorder = new ContinuousRecorder({
      onPiece: (piece) => this.addPiece(piece),
      onFileEnd: () => this.seal(),
      onChange: () => this.changed(),
    })
    this.sender = createSender(outbox, recording, (state) => this.noteSending(state))
    this.heartbeat = setInterval(() => this.keepOpen(), HEARTBEAT_MS)
    this.stopWatching = outbox.onClosed(() => void this.countSent())
  }

  /** Starts a conversation with the participant's answers, and with the draft of a text if there is one. */
  static async create(
    outbox: OverflowingOutbox,
    project: Project,
    answers: Answers,
    draft: Recording | null = null,
  ): Promise<Session> {
    const recording = newRecording(project.id, answers)
    if (draft) Object.assign(recording, { id: draft.id, draft: draft.draft })
    // Asked for before other tabs can see the recording.
    else void claimRecording(recording.id, null)
    await outbox.save(recording)
    return new Session(outbox, recording)
  }

  /** Continues with a recording that an earlier page left. Its last, incomplete chunk is complete now. */
  static async reopen(outbox: OverflowingOutbox, recording: Recording): Promise<Session> {
    const chunks = await outbox.chunks(recording.id)
    recording.sealed = Math.max(recording.sealed, (chunks.at(-1)?.seq ?? -1) + 1)
    // It is open again until the participant says once more that it is complete.
    recording.isFinished = false
    await outbox.save(recording)
    const session = new Session(outbox, recording)
    session.seq = recording.sealed
    session.recordedMs = lengthOf(chunks)
    await session.countSent()
    return session
  }

  get state(): SessionState {
    const { recordedMs, sentMs, refusedMs, lostMs, sentChunks } = this
    const { phase, isMuted, problem, gapMs } = this.recorder
    const chunks = this.recording.sealed
    const { isFull } = this.outbox
    return {
      phase,
      isMuted,
      problem,
      recordedMs,
      sentMs,
      refusedMs,
      lostMs,
      sentChunks,
      gapMs,
      chunks,
      isFull,
      sending: this.sender.state,
    }
  }

  /** Whether something was typed and nothing was recorded. The text itself is removed when the server has it; its key stays. */
  get isText(): boolean {
    const { textKey, draft = '' } = this.recording
    return this.recordedMs === 0 && (textKey !== undefined || draft.trim() !== '')
  }

  /** Whether closing the page now leaves something behind that the server does not have. */
  get hasUnsent(): boolean {
    const { state } = this.sender
    // The audio may be removed by now, so that it cannot be counted.
    if (this.isDisposed) return false
    if (state.kind === 'finished') return state.isKept && !this.outbox.isDurable
    const isRecording = this.recorder.phase !== 'stopped'
    return isRecording || this.recordedMs - this.lostMs > this.sentMs || this.recording.text !== null
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get microphone(): MediaStream | null {
    return this.recorder.stream
  }

  /** Records from this microphone; it is closed by `stop`. */
  start(stream: MediaStream): void {
    this.recorder.start(stream)
  }

  pause(): void {
    this.recorder.pause()
    this.keepOpen()
  }

  resume(): void {
    this.recorder.resume()
    this.sayWhetherPaused(false)
  }

  /** Ends the recording; it can be continued by `start`. Resolves when everything is saved. */
  async stop(): Promise<void> {
    await this.recorder.stop()
  }

  /**
   * Says that the conversation is complete, with this text, or without one. The state becomes `finished` when the server has everything
   * that it accepts.
   */
  async finish(text: string | null): Promise<void> {
    const { recording } = this
    // A text that may have arrived already keeps its key, so that the server stores it once.
    if (text !== null && text !== recording.text) recording.textKey = randomId()
    recording.text = text
    delete recording.draft
    recording.isFinished = true
    await this.outbox.save(recording)
    this.sender.retry()
  }

  retry(): void {
    this.sender.retry()
  }

  /** Ends everything except sending. */
  stopRecorder(): void {
    clearInterval(this.heartbeat)
    this.recorder.dispose()
  }

  dispose(): void {
    this.isDisposed = true
    this.stopWatching()
    this.listeners.clear()
    this.sender.stop()
    this.stopRecorder()
  }

  private async addPiece({ beginsFile, ...piece }: RecordedPiece): Promise<void> {
    const { recording } = this
    await this.outbox.addPiece({ recordingId: recording.id, seq: this.seq, ...piece }, beginsFile)
    this.chunkMs += piece.durationMs
    this.recordedMs += piece.durationMs
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

  /** The first call comes before the constructor has the sender. */
  private noteSending(state: Sending): void {
    if (state.kind === 'finished') this.end = state
    void this.countSent()
  }

  private async countSent(): Promise<void> {
    const chunks = await this.outbox.chunks(this.recording.id)
    const sent = chunks.filter(({ isSent }) => isSent)
    this.sentMs = lengthOf(sent) - lostLengthOf(sent)
    this.lostMs = lostLengthOf(chunks)
    this.sentChunks = sent.length
    this.refusedMs = lengthOf(chunks.filter(({ seq }) => this.sender.refused.has(seq)))
    if (chunks.some(({ seq, lostMs = 0 }) => lostMs > 0 && seq >= this.intactFrom))
      void this.recoverFromLoss()
    this.changed()
  }

  /** Continues in a new file, since audio cannot be played without the beginning of its file. */
  private async recoverFromLoss(): Promise<void> {
    if (this.isDisposed) return
    this.intactFrom = this.seq + 1
    // The device has forgotten the recording, too.
    await this.outbox.save(this.recording)
    await this.recorder.beginFile()
    this.intactFrom = this.seq
  }

  private keepOpen(): void {
    if (this.recorder.phase === 'paused') this.sayWhetherPaused(true)
  }

  /** For the host who watches the room. Audio ends a pause, too, so a request that fails is not repeated. */
  private sayWhetherPaused(isPaused: boolean): void {
    const { started } = this.recording
    if (started) void sendHeartbeat(started, isPaused).catch(() => {})
  }

  private changed(): void {
    for (const listener of this.listeners) listener()
  }
}
