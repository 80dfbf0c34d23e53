import type { EgressRequest } from './types.ts'

/** Sent with every request. Responses in identity encoding need no decompression. */
export const FIXED_HEADERS = { connection: 'keep-alive', 'accept-encoding': 'identity' }

const UNSENDABLE = /[^\t\x20-\x7e]/

/** The whole request as one text, so that a small one leaves in one packet. Null where a header value contains a line break. */
export function requestText(start: string, { headers, body }: EgressRequest): string | null {
  let head = start
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] as string
    if (UNSENDABLE.test(value)) return null
    head += `${headers[i]}: ${value}\r\n`
  }
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
