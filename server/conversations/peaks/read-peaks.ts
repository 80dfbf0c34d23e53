import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Db } from '../../../database/database.ts'
import { CONTAINERS, type Container } from '../../../media/containers/container.ts'
import { decodeAudio } from '../../../media/decode/decode.ts'
import { findFfmpeg } from '../../../media/decode/find-ffmpeg.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../../media/decode/limits.ts'
import { MediaFailure } from '../../../media/failure.ts'
import { limitConcurrency } from '../../../platform/concurrency-limit.ts'
import type { Logger } from '../../../platform/log.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { Problem } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import { joinedKey, peaksKey } from '../chunks/file-keys.ts'
import { conversationById } from '../find-conversation.ts'
import { openFile } from '../open-file.ts'
import type { ConversationRow } from '../payload.ts'
import { findAudio } from '../read-audio.ts'
import { measurePeaks } from './measure-peaks.ts'
import type { PeaksRecord } from './schema.ts'

interface PeaksParts {
  db: Db
  files: FileStore
  log: Logger
}

/** A request waits this long for the peaks. Half an hour of WAV takes 2.5 s of CPU time. */
const WAIT_MS = 4_000
const RETRY_AFTER_SECONDS = 3
/** Decoding a recording of six hours, the longest, on a busy machine. */
const DEADLINE_MS = 15 * 60_000
const MAX_BYTES = 64 * 1024

type ReadPeaks = (context: Context<ProjectTarget>, row: ConversationRow) => Promise<PeaksRecord>

/**
 * The peaks of a recording, measured when they are first read and then stored: decoding costs CPU time, and most recordings are
 * never looked at. One recording at a time is decoded in a process.
 */
export function createPeaksReader(parts: PeaksParts): ReadPeaks {
  const limited = limitConcurrency(1)
  const pending = new Map<string, Promise<PeaksRecord>>()
  return async (context, row) => {
    const { audio } = await findAudio(parts.db, row, parts.files)
    await noteStaffReading(context, 'audio.read', { kind: 'conversation', id: row.id })
    const key = peaksKey(row.id, audio.revision)
    const stored = await openFile(parts.files, key)
    if (stored) return JSON.parse(await text(stored.stream)) as PeaksRecord
    const work =
      pending.get(key) ?? limited(() => measure(parts, row.id, audio)).finally(() => pending.delete(key))
    pending.set(key, work)
    return inTime(work)
  }
}

async function inTime(work: Promise<PeaksRecord>): Promise<PeaksRecord> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), WAIT_MS)
  try {
    const peaks = await Promise.race([work, late.promise])
    if (peaks) return peaks
  } finally {
    clearTimeout(timer)
  }
  // The measurement continues; the next request reports its failure.
  work.catch(() => {})
  throw new Problem('not_ready_yet', {
    detail: 'The loudness of the audio is still being measured. Try again later.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

async function measure(
  { db, files, log }: PeaksParts,
  id: string,
  audio: { revision: number; content_type: string },
): Promise<PeaksRecord> {
  const container = containerOf(audio.content_type)
  try {
    const record = await files.withPaths([joinedKey(id, audio.revision)], async ([path = '']) => {
      const signal = AbortSignal.timeout(DEADLINE_MS)
      const recording = { path, container, ffmpeg: findFfmpeg(), limits: DECODE_LIMITS, signal, skip: 0 }
      const { peaks, samples } = await measurePeaks(decodeAudio(recording))
      return { duration_seconds: samples / SAMPLE_RATE, peaks }
    })
    await store(db, files, id, peaksKey(id, audio.revision), record)
    return record
  } catch (error) {
    if (!(error instanceof MediaFailure) || error.isTransient) throw error
    log.warn({ component: 'audio', err: error }, 'The loudness of a recording could not be measured')
    throw new Problem('gone', { detail: 'The audio cannot be decoded here, so its loudness is not known.' })
  }
}

const containerOf = (contentType: string): Container =>
  (Object.keys(CONTAINERS) as Container[]).find((one) => CONTAINERS[one].contentType === contentType) ??
  'webm'

async function store(db: Db, files: FileStore, id: string, key: string, record: PeaksRecord): Promise<void> {
  const file = await files.receive(Readable.from([Buffer.from(JSON.stringify(record))]), MAX_BYTES)
  try {
    await file.keep(key, { replace: true })
  } finally {
    await file.discard()
  }
  // Deleted while it was measured: the erasure can have removed the other files before this one was stored.
  if (!(await conversationById(db, id).executeTakeFirst())) await files.remove(key)
}
