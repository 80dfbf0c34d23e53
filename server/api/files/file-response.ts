import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Problem } from '../problems.ts'
import type { HttpResponse } from '../response.ts'
import { byteRange, contentRange } from './byte-range.ts'
import { contentDisposition, type Titled } from './file-name.ts'

/** A generated file, to save or to show. */
export interface GeneratedFile extends Titled {
  extension: string
  contentType: string
  content: string | Readable
  /** Whether browsers show it instead of saving it. */
  isShown?: boolean
}

export function fileResponse(file: GeneratedFile): HttpResponse {
  const { extension, contentType, content, isShown } = file
  const disposition = contentDisposition(isShown ? 'inline' : 'attachment', file, extension)
  const headers = { 'content-type': contentType, 'content-disposition': disposition }
  return { status: 200, headers, body: content }
}

/** A stored file that can be read in parts. */
export interface StoredFile {
  contentType: string
  size: number
  /** Changes with the content. */
  version: string
  read(range?: { first: number; last: number }): Promise<Readable>
}

/** The whole file, or the range that a player requests. */
export async function rangeResponse(file: StoredFile, request: IncomingHttpHeaders): Promise<HttpResponse> {
  const { size } = file
  const etag = `"${file.version}"`
  // A client that has a part of an older version needs the whole file.
  const isOlder = request['if-range'] !== undefined && request['if-range'] !== etag
  const range = byteRange(isOlder ? undefined : request.range, size)
  const rangeHeader = contentRange(range, size)
  const headers = {
    'content-type': file.contentType,
    'accept-ranges': 'bytes',
    etag,
    ...(rangeHeader && { 'content-range': rangeHeader }),
  }
  if (range.kind === 'unsatisfiable') throw new Problem('range_not_satisfiable', { headers })
  if (range.kind === 'whole')
    return { status: 200, headers: { ...headers, 'content-length': String(size) }, body: await file.read() }
  const length = String(range.end - range.start + 1)
  const body = await file.read({ first: range.start, last: range.end })
  return { status: 206, headers: { ...headers, 'content-length': length }, body }
}
