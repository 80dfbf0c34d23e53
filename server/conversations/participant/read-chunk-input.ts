import type { IncomingHttpHeaders } from 'node:http'
import { readDigests } from '../../api/content-digest.ts'
import { invalidInput, Problem } from '../../api/problems.ts'
import { isWithinCalendar } from '../../api/schema.ts'
import type { ChunkInput } from '../chunks/put-chunk.ts'
import { MAX_CHUNK_BYTES, MAX_SEQ } from './schema.ts'

/** The headers and the number of a chunk, checked before any of its bytes is read. */
export function readChunkInput(seqText: string | undefined, headers: IncomingHttpHeaders): ChunkInput {
  const input = {
    seq: readSeq(seqText),
    recordedAt: readRecordedAt(headers['x-recorded-at']),
    digests: readDigests(headers),
  }
  if (Number(headers['content-length'] ?? 0) > MAX_CHUNK_BYTES) throw new Problem('too_large')
  return input
}

function readSeq(text = ''): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw invalidInput({ path: 'seq', message: `must be a whole number from 0 to ${MAX_SEQ}` })
}

function readRecordedAt(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  const at = typeof header === 'string' ? Date.parse(header) : Number.NaN
  if (!isWithinCalendar(at))
    throw invalidInput({ path: 'X-Recorded-At', message: 'must be a time in ISO 8601' })
  return new Date(at).toISOString()
}
