import { access, mkdtempDisposable, rm, stat } from 'node:fs/promises'
import { CONTAINERS, type Container } from '../containers/container.ts'
import { CPU_LIMIT_MS } from '../cpu-limit.ts'
import { findFfmpeg } from '../decode/find-ffmpeg.ts'
import { MediaFailure } from '../failure.ts'
import { convertParts } from './convert-parts.ts'
import type { Copied } from './copy-packets.ts'
import { runDemuxWorker } from './run-demux-worker.ts'
import { assembleFiles, type JoinPart } from './source-file.ts'
import { transcode } from './transcode.ts'

export interface JoinedAudio {
  container: Container
  contentType: string
  durationMs: number
  bytes: number
  /** Where each file of the parts begins (`part`: the number of its first part), and how much of it was readable. */
  placed: { part: number; startMs: number; durationMs: number }[]
  /** The numbers of the parts of which nothing was readable. */
  skipped: number[]
}

interface JoinOptions {
  /** The program; null: parts that need it reject the join. */
  ffmpeg: string | null
  /** Wall time without a packet, after which a part is skipped (or, with `failOnTransient`, the join rejects). */
  stallMs: number
  /** CPU time without a packet, after which a part is skipped. */
  cpuMs: number
  /** Whether to reject where a demuxer stalls, ffmpeg is killed or the disk fails: a retry can succeed. Otherwise the part is skipped. */
  failOnTransient: boolean
}

/**
 * Joins parts, in order, to one file at `target` that browsers can play and seek in. Packets are copied; only parts that differ in
 * codec or shape, or have a codec that cannot be copied, are transcoded by ffmpeg. Rejects with a `MediaFailure` (`unreadable`: no part is readable, `needs_ffmpeg`), with
 * the error of the disk, or with the signal's reason, and leaves no file then.
 */
export async function joinAudio(
  parts: readonly JoinPart[],
  target: string,
  signal: AbortSignal,
  {
    ffmpeg = findFfmpeg(),
    stallMs = 20_000,
    cpuMs = CPU_LIMIT_MS,
    failOnTransient = false,
  }: Partial<JoinOptions> = {},
): Promise<JoinedAudio> {
  try {
    const copied = await copyParts(parts, target, signal, { ffmpeg, stallMs, cpuMs, failOnTransient })
    if (copied.kind !== 'copied') throw new MediaFailure('unreadable', 'No part has readable audio.')
    return await describe(parts, copied, target)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

async function copyParts(
  parts: readonly JoinPart[],
  target: string,
  signal: AbortSignal,
  { ffmpeg, failOnTransient, ...limits }: JoinOptions,
): Promise<Copied> {
  // A missing file is our mistake and rejects. A damaged file is skipped.
  await Promise.all(parts.map(({ path }) => access(path)))
  await using temp = await mkdtempDisposable(`${target}-`)
  const known = await convertParts(parts, temp.path, signal, { ffmpeg, cpuMs: limits.cpuMs, failOnTransient })
  const files = await assembleFiles(known)
  const copied = await runDemuxWorker({ files, target, failOnTransient }, signal, limits)
  if (copied.kind !== 'mixed') return copied
  const { cpuMs } = limits
  const transcoded = await transcode(copied.readable, temp.path, signal, { ffmpeg, cpuMs, failOnTransient })
  return await runDemuxWorker({ files: transcoded, target, failOnTransient }, signal, limits)
}

async function describe(
  parts: readonly JoinPart[],
  { container, placed }: Extract<Copied, { kind: 'copied' }>,
  target: string,
): Promise<JoinedAudio> {
  const used = new Set(placed.flatMap(({ file }) => file.parts))
  return {
    container,
    contentType: CONTAINERS[container].contentType,
    durationMs: Math.max(...placed.map(({ startMs, durationMs }) => startMs + durationMs)),
    bytes: (await stat(target)).size,
    placed: placed.map(({ file, startMs, durationMs }) => ({
      part: file.parts[0] ?? 0,
      startMs,
      durationMs,
    })),
    skipped: [...parts.keys()].filter((part) => !used.has(part)),
  }
}
