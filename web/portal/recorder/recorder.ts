/** Pieces of this length are saved as soon as the browser gives them, so this is about what a crash can cost. */
const PIECE_MS = 500

/** In the order of preference. Safari before 18.4 records MP4 only. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4', 'audio/ogg;codecs=opus']
/** A recorder that has stalled, as after a call on some phones, does not say that it has stopped. */
const STOP_MS = 3_000
/** One that has just given audio does so, but a busy machine can need this long, and the last words come with it. */
const BUSY_STOP_MS = 20_000
/**
 * A busy machine can give the first byte of a file alone. The server refuses a file that begins with less than its header, which has
 * more bytes than this in every format.
 */
const MIN_FIRST_BYTES = 64
/** Enough for several voices in a room. */
const BITS_PER_SECOND = 48_000

export interface RecordedPiece {
  bytes: ArrayBuffer
  type: string
  at: number
  durationMs: number
  /** Whether it is the first of a file: only that has the header. */
  beginsFile: boolean
}

export interface FileRecorder {
  /** When the browser gave audio last, or when the recording began or was resumed, by `performance.now()`. */
  readonly aliveAt: number
  /** The same by the clock of the phone, which goes on while the phone sleeps. */
  readonly aliveAtDate: number
  pause(): void
  resume(): void
  /** Asks for what was recorded since the last piece. */
  flush(): void
  /** The browser did not record since the last piece: the next one begins now. */
  skip(): void
  /** Resolves when the last piece was given to `onPiece`. */
  stop(): Promise<void>
}

interface RecorderCallbacks {
  /** Called in order. */
  onPiece(piece: RecordedPiece): Promise<void>
  /** The browser ended the recording, because the microphone is gone or after an error. Called after the last piece was handled. */
  onLost(): void
}

/** A piece whose bytes were not read yet. */
type GivenPiece = Omit<RecordedPiece, 'bytes'> & { audio: Blob }

const joined = (pieces: [GivenPiece, ...GivenPiece[]]): GivenPiece => ({
  ...pieces[0],
  audio: new Blob(pieces.map(({ audio }) => audio)),
  durationMs: pieces.reduce((sum, { durationMs }) => sum + durationMs, 0),
})

/**
 * Records one file. Its pieces follow each other without a gap, because the recorder runs on between them: a recorder that is
 * restarted for each chunk would lose some milliseconds each time.
 */
export function recordFile(stream: MediaStream, { onPiece, onLost }: RecorderCallbacks): FileRecorder {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const options = { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) }
  const recorder = new MediaRecorder(stream, options)
  const type = (recorder.mimeType || mimeType || 'audio/webm').split(';')[0] as string
  let handled: Promise<void> | null = null
  const unhandled: GivenPiece[] = []
  let isFirst = true
  /** The beginning of the file, until it is long enough. */
  let head: Blob | null = null
  let isStopping = false
  // Lengths are measured by a clock that cannot be set.
  let since = performance.now()
  let sinceDate = Date.now()
  let aliveAt = since
  let aliveAtDate = sinceDate
  const begin = () => {
    since = aliveAt = performance.now()
    sinceDate = aliveAtDate = Date.now()
  }

  recorder.ondataavailable = ({ data }) => {
    const at = sinceDate
    const passed = performance.now() - since
    since += passed
    sinceDate = Date.now()
    if (data.size === 0) return
    aliveAt = since
    aliveAtDate = sinceDate
    const audio = head ? new Blob([head, data]) : data
    head = isFirst && audio.size < MIN_FIRST_BYTES ? audio : null
    if (head) return
    const beginsFile = isFirst
    isFirst = false
    // A busy machine gives pieces in the same millisecond. A chunk has a length if it has audio.
    const lengthMs = Math.max(1, Math.round(passed))
    const durationMs = recorder.state === 'paused' ? Math.min(lengthMs, PIECE_MS) : lengthMs
    unhandled.push({ audio, type, at, durationMs, beginsFile })
    handled ??= handleAll()
  }
  /** Pieces that come while one is being saved are saved together: otherwise a slow disk would fall behind more and more. */
  async function handleAll(): Promise<void> {
    while (unhandled.length > 0) {
      const { audio, ...piece } = joined(unhandled.splice(0) as [GivenPiece, ...GivenPiece[]])
      const bytes = await audio.arrayBuffer().catch(() => null)
      // A piece that cannot be saved must not cost those after it.
      if (bytes) await onPiece({ ...piece, bytes }).catch(() => {})
      else if (piece.beginsFile) return giveUp()
    }
    handled = null
  }
  /** The server refuses a file without its header: the recording continues in a new file. */
  function giveUp(): void {
    recorder.ondataavailable = null
    handled = null
    if (recorder.state !== 'inactive') recorder.stop()
  }
  recorder.onresume = begin
  const stopped = new Promise<void>((resolve) => {
    recorder.onstop = () => {
      resolve(handled ?? undefined)
      void Promise.resolve(handled).then(() => isStopping || onLost())
    }
  })
  recorder.onerror = () => recorder.state === 'inactive' || recorder.stop()
  recorder.start(PIECE_MS)
  return {
    get aliveAt() {
      return aliveAt
    },
    get aliveAtDate() {
      return aliveAtDate
    },
    pause: () => {
      if (recorder.state !== 'recording') return
      recorder.requestData()
      recorder.pause()
    },
    resume: () => recorder.state === 'paused' && recorder.resume(),
    flush: () => recorder.state === 'recording' && recorder.requestData(),
    skip: begin,
    stop: async () => {
      isStopping = true
      const timeoutMs = performance.now() - aliveAt < STOP_MS ? BUSY_STOP_MS : STOP_MS
      if (recorder.state !== 'inactive') recorder.stop()
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, timeoutMs))])
      recorder.ondataavailable = null
      await handled
    },
  }
}
