import { readFile, stat } from 'node:fs/promises'
import { startIdleTimeout } from '../../platform/idle-timeout.ts'
import type { Container } from '../containers/container.ts'
import { limitProcessCpu } from '../cpu-limit.ts'
import { memoryOf } from '../process-usage.ts'
import { type DecoderProcess, spawnKeptDecoder } from './decoder-process.ts'
import type { KeptDecoderRequest } from './kept-decoder-main.ts'
import { type DecodeLimits, SAMPLE_RATE } from './limits.ts'

export interface KeptRecording {
  path: string
  container: Container
  /** Whether its bytes continue the file of the recording before. */
  isContinued: boolean
  /** How many samples of the file to leave out. */
  skip: number
  signal: AbortSignal
}

/** A file that grows beyond this is decoded in another process: the bytes so far are kept in memory. */
const MAX_FILE_BYTES = 32 * 2 ** 20
/** Longer than any chunk of a live recording. */
const MAX_SECONDS = 180
const MEMORY_CHECK_MS = 200

/**
 * One decoder process for the recordings of one conversation: starting a process takes 0.4 s of CPU time, more than transcribing 4 s
 * of speech. It never gets bytes of another conversation. A failure ends it; the recording is then decoded in a new process, which
 * gives the reason.
 */
export class KeptDecoder {
  private readonly limits: DecodeLimits
  private readonly child: DecoderProcess
  private readonly blocks: AsyncIterator<Buffer>
  private buffered: Buffer = Buffer.alloc(0)
  private fileBytes = 0

  constructor(limits: DecodeLimits, start = spawnKeptDecoder) {
    this.limits = limits
    this.child = start(limits)
    this.blocks = this.child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    this.child.once('error', () => {})
    this.child.stdin?.on('error', () => {})
    this.child.stderr?.resume()
    // Only a decoder that is in use keeps the process of its owner alive.
    this.child.unref()
  }

  /** Rejects if the recording cannot be decoded here. The decoder has ended then. */
  async *decode({ path, signal, ...recording }: KeptRecording): AsyncGenerator<Float32Array> {
    let isDone = false
    const kill = (): void => this.close()
    signal.addEventListener('abort', kill)
    const memory = setInterval(() => void this.checkMemory(), MEMORY_CHECK_MS)
    try {
      signal.throwIfAborted()
      await this.send(path, recording)
      let left = MAX_SECONDS * SAMPLE_RATE
      for (let block = await this.nextBlock(); block.length > 0; block = await this.nextBlock()) {
        left -= block.length
        if (left < 0) throw new Error('The recording is too long for a kept decoder.')
        yield block
      }
      isDone = true
    } finally {
      clearInterval(memory)
      signal.removeEventListener('abort', kill)
      if (!isDone) this.close()
    }
  }

  close(): void {
    this.child.kill('SIGKILL')
  }

  private async send(path: string, recording: Omit<KeptDecoderRequest, 'bytes'>): Promise<void> {
    const { size } = await stat(path)
    this.fileBytes = size + (recording.isContinued ? this.fileBytes : 0)
    if (this.fileBytes > MAX_FILE_BYTES) throw new Error('The recording is too large for a kept decoder.')
    const bytes = await readFile(path)
    const request: KeptDecoderRequest = { ...recording, bytes: bytes.length }
    this.child.stdin?.write(`${JSON.stringify(request)}\n`)
    this.child.stdin?.write(bytes)
  }

  private async nextBlock(): Promise<Float32Array> {
    const length = (await this.take(4)).readUInt32LE()
    const bytes = await this.take(length)
    return new Float32Array(new Uint8Array(bytes).buffer)
  }

  private async take(length: number): Promise<Buffer> {
    while (this.buffered.length < length) {
      const next = await this.waitForOutput()
      if (next.done) throw new Error('The decoder ended.')
      this.buffered = Buffer.concat([this.buffered, next.value])
    }
    const taken = this.buffered.subarray(0, length)
    this.buffered = this.buffered.subarray(length)
    return taken
  }

  /** The limits apply only while we wait: a slow consumer must not count against the decoder. */
  private async waitForOutput(): Promise<IteratorResult<Buffer>> {
    const { stallMs, stuckCpuMs } = this.limits
    const kill = (): void => this.close()
    const timers = [
      startIdleTimeout(stallMs, kill),
      limitProcessCpu(this.child.pid, () => 0, kill, stuckCpuMs),
    ]
    try {
      return await this.blocks.next()
    } finally {
      for (const timer of timers) timer.stop()
    }
  }

  private async checkMemory(): Promise<void> {
    if ((await memoryOf(this.child.pid ?? 0)) > this.limits.maxMemoryMb) this.close()
  }
}
