import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BuiltFile } from './built-files.ts'

/** Sends a file in the smallest encoding that the browser accepts. */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzip, brotli }: BuiltFile,
  caching: string,
): FastifyReply {
  const accepts = acceptedEncodings(headers['accept-encoding'])
  const [encoding, body] =
    brotli && accepts.has('br')
      ? ['br', brotli]
      : gzip && accepts.has('gzip')
        ? ['gzip', gzip]
        : [null, plain]
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).headers({ 'cache-control': caching, vary: 'Origin, Accept-Encoding' }).send(body)
}

/** `gzip;q=0` means that gzip is refused. */
export function acceptedEncodings(header: string | string[] = ''): Set<string> {
  const entries = String(header)
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
  return new Set(
    entries.filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? '')).map(([name = '']) => name),
  )
}
