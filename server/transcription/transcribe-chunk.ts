import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../../database/database.ts'
import { faultPoint } from '../../platform/fault-points.ts'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { RunningJob } from '../background/queue.ts'
import { chunkKey, type Lifecycle } from '../conversations/index.ts'
import { EngineFailure, givenUp } from '../engines/engine-failure.ts'
import { type ChunkRow, findRun, lengthOfAll, type Run } from './find-file-chunks.ts'
import { findSeam, type Seam, withoutSeam } from './find-overlap.ts'
import { candidatesOf, languageOf } from './language.ts'
import { type Hearing, INCOMPLETE, noteTrouble, settleChunk } from './store-result.ts'
import type { Container, Transcriber, Transcription } from './transcriber.ts'

export interface TranscribeParts extends Lifecycle {
  db: Db
  files: FileStore
  transcriber: Transcriber
}

/** At once; the rest follows as a job of its own. A part takes some 15 s, which is how long whoever speaks live may have to wait. */
const PART_SECONDS = 120

/** Hears one chunk, or the next part of a long one. Whatever comes of it is written once. */
export async function transcribeChunk(parts: TranscribeParts, job: RunningJob): Promise<void> {
  const { conversation_id, seq } = job.data as { conversation_id: string; seq: number }
  const { timestamps, leads } = parts.transcriber.capabilities
  const run = await findRun(parts.db, conversation_id, seq, leads)
  if (run === null) return
  if ('isLost' in run) return settleChunk(parts, run, { failure: INCOMPLETE }, job.priority)
  try {
    const seam = timestamps ? await findSeam(parts.db, run, leads) : withoutSeam(run)
    const hearing = await hear(parts, run, seam, job.signal)
    faultPoint('after_transcription')
    const outcome = isForeign(run, hearing) ? { failure: 'unreadable' } : hearing
    await settleChunk(parts, run, outcome, job.priority)
  } catch (error) {
    const failure = givenUp(error, job)
    if (failure !== null) return settleChunk(parts, run, { failure }, job.priority)
    if (job.retry === PATIENT_RETRIES) await noteTrouble(parts, run, codeOf(error), job.priority)
    throw error
  }
}

/** So many tries, half a minute, others wait for. */
const PATIENT_RETRIES = 3

const codeOf = (error: unknown): string => (error instanceof EngineFailure ? error.code : 'internal')

/** So many bytes are no mere end of a recording. */
const FOREIGN_BYTES = 4_000
const FOREIGN_MS = 100

/** Bytes that were taken for a continuation, as they have no head, and that the decoder passed over: a gap, and no silence. */
const isForeign = ({ chunks, chunk }: Run, { heard, isWhole }: Hearing): boolean =>
  chunks.length > 1 && chunk.bytes > FOREIGN_BYTES && isWhole && heard < FOREIGN_MS

async function hear(
  { files, transcriber }: TranscribeParts,
  { conversation, project, chunks, chunk }: Run,
  seam: Seam,
  signal: AbortSignal,
): Promise<Hearing> {
  // Where in its file the chunk begins.
  const at = lengthOfAll(chunks.slice(0, -1))
  const transcription = await withFiles(files, [...seam.lead, chunks], (paths) =>
    transcriber.transcribe({
      path: paths.at(-1) as string,
      container: containerOf(chunks),
      // Found out once for all parts of a recording.
      language: languageOf(conversation, project) ?? (chunk.transcribed_ms === null ? null : chunk.language),
      candidates: candidatesOf(project),
      hotwords: project.hotwords,
      from: Math.max(0, at + seam.begin) / 1000,
      until: (at + seam.moment) / 1000 + PART_SECONDS,
      lead: seam.lead.map((file, n) => ({
        path: paths[n] as string,
        container: containerOf(file),
        from: n === 0 ? seam.leadFrom / 1000 : 0,
      })),
      signal,
    }),
  )
  return inChunk(transcription, at, seam)
}

const containerOf = (chunks: readonly ChunkRow[]): Container => chunks[0]?.container as Container

function inChunk({ language, duration, isWhole, segments }: Transcription, at: number, seam: Seam): Hearing {
  const inChunk = (seconds: number) => Math.round(seconds * 1000) - at
  return {
    seam,
    phrases: segments.map(({ start, end, text }) => ({ start: inChunk(start), end: inChunk(end), text })),
    language,
    heard: Math.max(seam.moment, inChunk(duration)),
    isWhole,
  }
}

/** A path for each file; of those that came in slices, of a copy in one piece for the moment. */
async function withFiles<T>(
  files: FileStore,
  runs: ChunkRow[][],
  use: (paths: string[]) => Promise<T>,
): Promise<T> {
  await using scratch = await createTempDirectory()
  const [whole, sliced] = [runs.filter(({ length }) => length === 1), runs.filter(({ length }) => length > 1)]
  const paths = new Map(sliced.map((run, n) => [run, join(scratch.path, String(n))]))
  for (const [run, path] of paths)
    for (const key of run.map(keyOf))
      await pipeline(await files.read(key), createWriteStream(path, { flags: 'a' }))
  return await files.withPaths(
    whole.flatMap((run) => run.map(keyOf)),
    (lent) => use(runs.map((run) => paths.get(run) ?? (lent[whole.indexOf(run)] as string))),
  )
}

const keyOf = ({ conversation_id, seq, digest }: ChunkRow): string => chunkKey(conversation_id, seq, digest)
