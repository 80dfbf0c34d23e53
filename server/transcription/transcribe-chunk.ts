import type { Db } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { RunningJob } from '../background/queue.ts'
import { INCOMPLETE, type Lifecycle } from '../conversations/index.ts'
import { failureFields, finalFailure } from '../engines/engine-failure.ts'
import { primaryLanguage } from '../engines/language-tag.ts'
import { AUTO } from '../tenancy/index.ts'
import { faultPoint } from './fault-points.ts'
import { type FileChunks, findFileChunks, hasHeader, lengthOfAll } from './find-file-chunks.ts'
import { findContext, findOverlap, noOverlap, type Overlap } from './find-overlap.ts'
import { isLive, liveChunkOf, resumeLive } from './resume-live.ts'
import { type ChunkTranscription, noteFailure, storeResult } from './store-result.ts'
import type { Transcriber, Transcription } from './transcriber.ts'
import { withFiles } from './with-files.ts'

export interface TranscribeParts extends Lifecycle {
  db: Db
  files: FileStore
  transcriber: Transcriber
  log: Logger
}

/** One job transcribes this much; another job does the rest. A part takes about 15 s, so live audio waits at most that long. */
const PART_SECONDS = 120

/** After this many failed attempts (about 30 s), later chunks no longer wait for this one. */
const BLOCKING_RETRIES = 3

/** Transcribes one chunk, or the next part of a long one. */
export async function transcribeChunk(parts: TranscribeParts, job: RunningJob): Promise<void> {
  const { conversation_id, seq } = job.data as { conversation_id: string; seq: number }
  const { timestamps, preRoll } = parts.transcriber.capabilities
  const file = await findFileChunks(parts, conversation_id, seq, preRoll)
  if (file === null) return
  const fail = (failure: string, reason: object = {}) => {
    const fields = { component: 'transcription', project_id: job.projectId, ...reason, code: failure }
    parts.log.warn(fields, 'Transcription of a chunk failed; the transcript gets a gap')
    return storeResult(parts, file, { failure }, job.priority)
  }
  try {
    const overlap = timestamps ? await findOverlap(parts.db, file, preRoll) : noOverlap(file)
    const transcription = await transcribe(parts, file, overlap, job.signal)
    faultPoint('after_transcription')
    if (transcription === null) return await fail(INCOMPLETE)
    if (isUndecodable(file, transcription)) await fail('unreadable')
    else await storeResult(parts, file, transcription, job.priority)
  } catch (error) {
    const failure = finalFailure(error, job)
    const reason = failureFields(error, job)
    if (failure !== null) return fail(failure, reason)
    if (job.retry === BLOCKING_RETRIES) await noteFailure(parts, file, reason.code, job.priority)
    throw error
  }
}

/** More than the trailing bytes of a recording. */
const UNDECODABLE_BYTES = 4_000
const UNDECODABLE_MS = 100

/** Whether the decoder skipped the chunk's bytes: it has no file header, and does not continue the file before it, either. */
const isUndecodable = (
  { chunks, chunk }: FileChunks,
  { transcribedTo, isWhole }: ChunkTranscription,
): boolean =>
  (chunks.length > 1 || !hasHeader(chunks)) &&
  chunk.bytes > UNDECODABLE_BYTES &&
  isWhole &&
  transcribedTo < UNDECODABLE_MS

/** Null if the chunk cannot be decoded without the missing one before it. */
async function transcribe(
  parts: TranscribeParts,
  file: FileChunks,
  overlap: Overlap,
  signal: AbortSignal,
): Promise<ChunkTranscription | null> {
  const { chunks } = file
  const resumed = await resumeLive(parts, file, overlap, settingsOf(file), signal)
  if (resumed) return { ...inChunk(resumed, 0, overlap), streamMs: null }
  const chunkStart = lengthOfAll(chunks.slice(0, -1))
  const { context: takesContext } = parts.transcriber.capabilities
  const { start, preRoll, preRollFrom } = takesContext ? await findContext(parts.db, file, overlap) : overlap
  return await withFiles(parts, [...preRoll, chunks], async (lent) => {
    const own = lent.at(-1)
    if (!own) return null
    const transcription = await parts.transcriber.transcribe({
      path: own.path,
      container: own.container,
      ...settingsOf(file),
      from: Math.max(0, chunkStart + start) / 1000,
      until: (chunkStart + overlap.transcribedTo) / 1000 + PART_SECONDS,
      preRoll: lent
        .slice(0, -1)
        .flatMap((file, n) =>
          file
            ? [{ path: file.path, container: file.container, from: n === 0 ? preRollFrom / 1000 : 0 }]
            : [],
        ),
      ...(takesContext && { finishedTo: (chunkStart + overlap.start) / 1000 }),
      ...(overlap.spokenBefore !== null && { spokenBefore: overlap.spokenBefore }),
      ...(isLive(file) && { live: liveChunkOf(file, overlap) }),
      signal,
    })
    const isFirst = own.firstPart === chunks.length - 1
    return { ...inChunk(transcription, chunkStart, overlap), streamMs: isFirst ? own.streamMs : null }
  })
}

/** Settings that depend on the conversation and its project. */
const settingsOf = ({ conversation, project, chunk }: FileChunks) => ({
  // Detected once for all parts of a recording.
  language: languageOf(conversation, project) ?? (chunk.transcribed_ms === null ? null : chunk.language),
  isChosen: conversation.language !== null,
  candidates: languagesOf(project),
  hotwords: project.hotwords,
})

/** The participant's choice, else the project's language. Null if the project detects it, or offers several. */
export function languageOf(
  { language }: FileChunks['conversation'],
  project: FileChunks['project'],
): string | null {
  if (language !== null) return primaryLanguage(language)
  if (project.language === AUTO) return null
  const [only = null, ...others] = languagesOf(project)
  return others.length === 0 ? only : null
}

/** The languages of the project, as ISO 639-1. */
export const languagesOf = ({ language, languages }: FileChunks['project']): string[] => [
  ...new Set([language, ...languages].filter((tag) => tag !== AUTO).map(primaryLanguage)),
]

function inChunk(
  { language, duration, isWhole, segments, finishedTo }: Transcription,
  chunkStart: number,
  overlap: Overlap,
): Omit<ChunkTranscription, 'streamMs'> {
  const toChunk = (seconds: number) => Math.round(seconds * 1000) - chunkStart
  const inMs = <T extends { start: number; end: number }>(timed: T): T => ({
    ...timed,
    start: toChunk(timed.start),
    end: toChunk(timed.end),
  })
  return {
    overlap,
    phrases: segments.map(({ words, ...segment }) => ({
      ...inMs(segment),
      ...(words && { words: words.map(inMs) }),
    })),
    language,
    transcribedTo: Math.max(overlap.transcribedTo, toChunk(duration)),
    isWhole,
    finishedTo: finishedTo === undefined ? null : toChunk(finishedTo),
  }
}
