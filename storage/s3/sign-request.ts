import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

export interface UnsignedRequest {
  method: string
  host: string
  /** Encoded, with a leading slash. */
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** SHA-256 of the body, in hex. The server rejects a body that does not match. */
  digest: string
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Percent-encodes as AWS Signature Version 4 requires, which is stricter than `encodeURIComponent`. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

export const encodeQuery = (query: Record<string, string>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')

/** Signs requests by AWS Signature Version 4. Returns all headers to send. */
export function createSigner({ accessKeyId, secretAccessKey, region }: Credentials) {
  let day = ''
  let key: Buffer = Buffer.alloc(0)
  // The key changes once a day. Deriving it costs four digests.
  const keyOf = (date: string): Buffer => {
    if (date !== day) {
      key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), 's3'), 'aws4_request')
      day = date
    }
    return key
  }
  return (request: UnsignedRequest, now: Date = new Date()): Record<string, string> => {
    const time = `${now.toISOString().replace(/[-:]|\.\d{3}/g, '')}`
    const date = time.slice(0, 8)
    const headers: Record<string, string> = {
      ...request.headers,
      host: request.host,
      'x-amz-content-sha256': request.digest,
      'x-amz-date': time,
    }
    const names = Object.keys(headers).toSorted()
    const canonical = [
      request.method,
      request.path,
      encodeQuery(request.query),
      ...names.map((name) => `${name}:${headers[name]?.trim()}`),
      '',
      names.join(';'),
      request.digest,
    ].join('\n')
    const scope = `${date}/${region}/s3/aws4_request`
    const signature = hmac(keyOf(date), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`)
    const signed = `SignedHeaders=${names.join(';')},Signature=${signature.toString('hex')}`
    return {
      ...headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},${signed}`,
    }
  }
}
