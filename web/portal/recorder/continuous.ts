import { closeMicrophone, type MicrophoneProblem, onUnplugged, reopenMicrophone } from './microphone.ts'
import { type FileRecorder, type RecordedPiece, recordFile } from './recorder.ts'
import { keepScreenOn } from './wake-lock.ts'

export type Phase = 'starting' | 'recording' | 'paused' | 'lost' | 'stopped'

interface Callbacks {
  /** Called in order. */
  onPiece(piece: RecordedPiece): Promise<void>
  /** After the last piece of a file. */
  onFileEnd(): Promise<void>
  onChange(): void
}

/** Longer without audio than any phone needs for a piece. */
const GAP_MS = 3_000
/** A recorder that gives nothing for this long while the page is visible has stalled. */
const STALL_MS = 6_000
const CHECK_MS = 2_000
/** A browser that starts no recorder at all must not be asked again without a pause. */
const RESTART_MS = 500

/**
 * Records until it is stopped, in as many files as it takes: when a headset is unplugged, the phone takes the microphone away or the
 * recorder stalls, it continues with the next microphone in a new file.
 */
export class ContinuousRecorder {
  phase: Phase = 'stopped'
  /** Whether the phone has silenced the microphone, as it does during a call. */
  isMuted = false
  /** Why no other microphone has been found since one was lost. */
  problem: MicrophoneProblem | null = null
  /** How long the browser did not record while the page was in the background; null if it did not happen. */
  gapMs: number | null = null
  stream: MediaStream | null = null
  private readonly callbacks: Callbacks
  private readonly over = new AbortController()
  /** Ends with the current microphone. */
  private listening = new AbortController()
  private file: FileRecorder | null = null
  private deviceId: string | undefined
  /** By `performance.now()`: when the page became visible or the microphone came back. A stalled recorder is noticed from then on. */
  private expectedSince = 0
  private ending = Promise.resolve()
  private releaseScreen: (() => void) | null = null

  constructor(callbacks: Callbacks) {
    this.callbacks = callbacks
    const { signal } = this.over
    document.addEventListener('visibilitychange', () => this.checkBackground(), { signal })
    addEventListener('pagehide', () => this.file?.flush(), { signal })
    const timer = setInterval(() => this.checkAlive(), CHECK_MS)
    signal.addEventListener('abort', () => clearInterval(timer))
  }

  /** Records from this microphone; it is closed by `stop`. */
  start(stream: MediaStream): void {
    this.listening = new AbortController()
    const { signal } = this.listening
    const [track] = stream.getAudioTracks()
    this.stream = stream
    this.deviceId = track?.getSettings().deviceId
    this.isMuted = track?.muted ?? false
    track?.addEventListener('mute', () => this.mute(true), { signal })
    track?.addEventListener('unmute', () => this.mute(false), { signal })
    if (track) onUnplugged(track, () => void this.replaceMicrophone(), signal)
    this.phase = 'starting'
    this.problem = null
    this.expectedSince = performance.now()
    this.file = this.record(stream)
    this.releaseScreen ??= keepScreenOn()
    this.callbacks.onChange()
  }

  private record(stream: MediaStream): FileRecorder | null {
    try {
      return recordFile(stream, {
        onPiece: async (piece) => {
          if (this.phase === 'starting') this.phase = 'recording'
          await this.callbacks.onPiece(piece)
        },
        onLost: () => void this.replaceMicrophone(),
      })
    } catch {
      // Its track has ended in the meantime.
      setTimeout(() => void this.replaceMicrophone(), RESTART_MS)
      return null
    }
  }

  /** Continues in a new file with the same microphone. Resolves when the last piece of the old file was handled. */
  beginFile(): Promise<void> {
    this.ending = this.ending.then(async () => {
      const { file, stream } = this
      if (!file || !stream) return
      this.file = null
      await file.stop()
      await this.callbacks.onFileEnd()
      // In the meantime the participant can have stopped, or the microphone can be gone.
      if (this.phase === 'stopped' || this.phase === 'lost') return
      const next = this.record(stream)
      this.file = next
      if (this.phase === 'paused') next?.pause()
    })
    return this.ending
  }

  pause(): void {
    this.file?.pause()
    this.phase = 'paused'
    this.callbacks.onChange()
  }

  resume(): void {
    this.file?.resume()
    this.phase = 'recording'
    this.callbacks.onChange()
  }

  /** It can be continued by `start`. Resolves when the last piece was handled. */
  async stop(): Promise<void> {
    this.phase = 'stopped'
    await this.endFile()
    this.releaseScreen?.()
    this.releaseScreen = null
    this.callbacks.onChange()
  }

  dispose(): void {
    this.over.abort()
    void this.stop()
  }

  /** One at a time: the participant can stop while a lost microphone is being closed. */
  private endFile(): Promise<void> {
    this.ending = this.ending.then(async () => {
      const { file, stream } = this
      this.file = null
      this.stream = null
      this.listening.abort()
      await file?.stop()
      closeMicrophone(stream)
      await this.callbacks.onFileEnd()
    })
    return this.ending
  }

  private async replaceMicrophone(): Promise<void> {
    if (this.phase === 'stopped' || this.phase === 'lost') return
    const wasPaused = this.phase === 'paused'
    this.phase = 'lost'
    this.callbacks.onChange()
    await this.endFile()
    const isWanted = () => this.phase === 'lost' && !this.over.signal.aborted
    const stream = await reopenMicrophone(this.deviceId, isWanted, (problem) => {
      this.problem = problem
      this.callbacks.onChange()
    })
    if (!stream) return
    this.start(stream)
    if (wasPaused) this.pause()
  }

  private mute(isMuted: boolean): void {
    this.isMuted = isMuted
    this.expectedSince = performance.now()
    this.callbacks.onChange()
  }

  private checkAlive(): void {
    const isRecording = this.phase === 'recording' || this.phase === 'starting'
    if (!this.file || !isRecording || this.isMuted || document.hidden) return
    const since = Math.max(this.file.aliveAt, this.expectedSince)
    if (performance.now() - since > STALL_MS) void this.replaceMicrophone()
  }

  /** Phones stop pages in the background, and do not say so. */
  private checkBackground(): void {
    if (document.hidden) {
      this.file?.flush()
      return
    }
    this.expectedSince = performance.now()
    const now = Date.now()
    const missing = now - (this.file?.aliveAtDate ?? now)
    if (this.phase === 'recording' && missing > GAP_MS) {
      this.gapMs = (this.gapMs ?? 0) + missing
      this.file?.skip()
    }
    this.callbacks.onChange()
  }
}
