import { access, mkdtempDisposable, rm, stat } from 'node:fs/promises'
import type { Container } from '../containers/container.ts'
import { containerContentType } from '../containers/sniff-container.ts'
import { CPU_LIMIT_MS } from '../cpu-limit.ts'
import type { Copied } from './copy-compatible.ts'
import { JoinFailure } from './join-failure.ts'
import { demuxApart } from './run-demux-worker.ts'
import { type JoinPart, piecesOf } from './source-file.ts'
import { transcode } from './transcode.ts'

export interface JoinedAudio {
  container: Container
  contentType: string
  durationMs: number
  bytes: number
  /** Where each file of the parts (`part`: the number of its first) begins, and how much of it could be read. */
  placed: { part: number; startMs: number; durationMs: number }[]
  /** The numbers of the parts of which nothing could be read. */
  skipped: number[]
}

interface JoinOptions {
  /** The program, looked for where systems have theirs. */
  ffmpeg: string
  /** Wall time without a packet, after which a part is taken for unreadable, unless the caller is patient; and CPU time, after which it is in any case. */
  stallMs: number
  cpuMs: number
  /**
   * Whether to reject where a demuxer stands still, ffmpeg is killed, or the disk does not give a part: it may pass, and the
   * part would be missing for ever. Else the part is left out.
   */
  isPatient: boolean
}

/**
 * One file at `target` that browsers play and seek in, from parts in their order. Packets are copied; only parts that differ
 * in codec or shape are encoded anew, by ffmpeg where there is one. Rejects with a `JoinFailure`, or what the disk or the
 * signal says, and leaves no file then.
 */
export async function joinAudio(
  parts: readonly JoinPart[],
  target: string,
  signal: AbortSignal,
  { ffmpeg = 'ffmpeg', stallMs = 20_000, cpuMs = CPU_LIMIT_MS, isPatient = false }: Partial<JoinOptions> = {},
): Promise<JoinedAudio> {
  try {
    const copied = await copyParts(parts, target, signal, { ffmpeg, stallMs, cpuMs, isPatient })
    if (copied.kind !== 'copied') throw new JoinFailure('unreadable', 'no part has audio that can be read')
    return await report(parts, copied, target)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

async function copyParts(
  parts: readonly JoinPart[],
  target: string,
  signal: AbortSignal,
  { ffmpeg, stallMs, cpuMs, isPatient }: JoinOptions,
): Promise<Copied> {
  // A file that is not there is a fault of ours, and rejects; one that makes no sense is skipped.
  await Promise.all(parts.map(({ path }) => access(path)))
  const pieces = await piecesOf(parts)
  const copied = await demuxApart({ pieces, target, isPatient }, signal, { stallMs, cpuMs })
  if (copied.kind !== 'mixed') return copied
  await using scratch = await mkdtempDisposable(`${target}-`)
  const alike = await transcode(copied.readable, scratch.path, signal, { ffmpeg, cpuMs, isPatient })
  return await demuxApart({ pieces: alike, target, isPatient }, signal, { stallMs, cpuMs })
}

async function report(
  parts: readonly JoinPart[],
  { container, placed }: Extract<Copied, { kind: 'copied' }>,
  target: string,
): Promise<JoinedAudio> {
  const used = new Set(placed.flatMap(({ piece }) => piece.parts))
  return {
    container,
    contentType: containerContentType(container),
    durationMs: Math.max(...placed.map(({ startMs, durationMs }) => startMs + durationMs)),
    bytes: (await stat(target)).size,
    placed: placed.map(({ piece, startMs, durationMs }) => ({
      part: piece.parts[0] ?? 0,
      startMs,
      durationMs,
    })),
    skipped: [...parts.keys()].filter((part) => !used.has(part)),
  }
}
