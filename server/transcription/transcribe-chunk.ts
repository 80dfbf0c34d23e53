import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../../database/database.ts'
import { faultPoint } from '../../platform/fault-points.ts'
import { AUTO, primaryLanguage } from '../../platform/language-tag.ts'
import type { Logger } from '../../platform/log.ts'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { RunningJob } from '../background/queue.ts'
import { chunkKey, type Lifecycle } from '../conversations/index.ts'
import { failureFields, finalFailure } from '../engines/engine-failure.ts'
import { type ChunkRow, type FileChunks, findFileChunks, lengthOfAll } from './find-file-chunks.ts'
import { findOverlap, noOverlap, type Overlap } from './find-overlap.ts'
import { type ChunkTranscription, INCOMPLETE_FILE, noteFailure, storeResult } from './store-result.ts'
import type { Container, Transcriber, Transcription } from './transcriber.ts'

export interface TranscribeParts extends Lifecycle {
  db: Db
  files: FileStore
  transcriber: Transcriber
  log: Logger
}

/** One job transcribes this much; another job does the rest. A part takes about 15 s, which live audio can have to wait. */
const PART_SECONDS = 120

/** How many failed attempts, about half a minute, the chunks after it wait for. */
const BLOCKING_RETRIES = 3

/** Transcribes one chunk, or the next part of a long one. */
export async function transcribeChunk(parts: TranscribeParts, job: RunningJob): Promise<void> {
  const { conversation_id, seq } = job.data as { conversation_id: string; seq: number }
  const { timestamps, preRoll } = parts.transcriber.capabilities
  const file = await findFileChunks(parts.db, conversation_id, seq, preRoll)
  if (file === null) return
  const fail = (failure: string, reason: object = {}) => {
    const fields = { component: 'transcription', project_id: job.projectId, ...reason, code: failure }
    parts.log.warn(fields, 'Transcription of a chunk failed; the transcript gets a gap')
    return storeResult(parts, file, { failure }, job.priority)
  }
  if ('isStartMissing' in file) return fail(INCOMPLETE_FILE)
  try {
    const overlap = timestamps ? await findOverlap(parts.db, file, preRoll) : noOverlap(file)
    const transcription = await transcribe(parts, file, overlap, job.signal)
    faultPoint('after_transcription')
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
  chunks.length > 1 && chunk.bytes > UNDECODABLE_BYTES && isWhole && transcribedTo < UNDECODABLE_MS

async function transcribe(
  { files, transcriber }: TranscribeParts,
  { conversation, project, chunks, chunk }: FileChunks,
  overlap: Overlap,
  signal: AbortSignal,
): Promise<ChunkTranscription> {
  const { transcribedTo, start, preRoll, preRollFrom } = overlap
  const chunkStart = lengthOfAll(chunks.slice(0, -1))
  const transcription = await withFiles(files, [...preRoll, chunks], (paths) =>
    transcriber.transcribe({
      path: paths.at(-1) as string,
      container: containerOf(chunks),
      // Detected once for all parts of a recording.
      language: languageOf(conversation, project) ?? (chunk.transcribed_ms === null ? null : chunk.language),
      isChosen: conversation.language !== null,
      candidates: languagesOf(project),
      hotwords: project.hotwords,
      from: Math.max(0, chunkStart + start) / 1000,
      until: (chunkStart + transcribedTo) / 1000 + PART_SECONDS,
      preRoll: preRoll.map((file, n) => ({
        path: paths[n] as string,
        container: containerOf(file),
        from: n === 0 ? preRollFrom / 1000 : 0,
      })),
      signal,
    }),
  )
  return inChunk(transcription, chunkStart, overlap)
}

/** The participant's choice, else the project's language. Null if the project detects it, or offers several. */
function languageOf({ language }: FileChunks['conversation'], project: FileChunks['project']): string | null {
  if (language !== null) return primaryLanguage(language)
  if (project.language === AUTO) return null
  const [only = null, ...others] = languagesOf(project)
  return others.length === 0 ? only : null
}

/** The languages of the project, as ISO 639-1. */
const languagesOf = ({ language, languages }: FileChunks['project']): string[] => [
  ...new Set([language, ...languages].filter((tag) => tag !== AUTO).map(primaryLanguage)),
]

const containerOf = (chunks: readonly ChunkRow[]): Container => chunks[0]?.container as Container

function inChunk(
  { language, duration, isWhole, segments }: Transcription,
  chunkStart: number,
  overlap: Overlap,
): ChunkTranscription {
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
  }
}

/** Lends a path for each file. A file that was sent in several chunks is copied to one temporary file. */
async function withFiles<T>(
  store: FileStore,
  files: ChunkRow[][],
  use: (paths: string[]) => Promise<T>,
): Promise<T> {
  await using temp = await createTempDirectory()
  const single = files.filter(({ length }) => length === 1)
  const copies = new Map<ChunkRow[], string>()
  for (const [n, chunks] of files.entries()) {
    if (chunks.length === 1) continue
    const path = join(temp.path, String(n))
    copies.set(chunks, path)
    for (const key of chunks.map(keyOf))
      await pipeline(await store.read(key), createWriteStream(path, { flags: 'a' }))
  }
  return await store.withPaths(
    single.flatMap((chunks) => chunks.map(keyOf)),
    (lent) => use(files.map((chunks) => copies.get(chunks) ?? (lent[single.indexOf(chunks)] as string))),
  )
}

const keyOf = ({ conversation_id, seq, digest }: ChunkRow): string => chunkKey(conversation_id, seq, digest)
