import type { Target } from './targets.ts'
import type { EgressRequest } from './types.ts'

/** On every request. What is not asked for encoded need not be decoded. */
export const FIXED_HEADERS = { connection: 'keep-alive', 'accept-encoding': 'identity' }

const UNSENDABLE = /[^\t\x20-\x7e]/

/**
 * A request as it goes over the wire, in one piece, so that it leaves in one packet where it fits. Null where a header would
 * be more than one.
 */
export function requestText(target: Target, { headers, body }: EgressRequest): string | null {
  let head = target.head
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] as string
    if (UNSENDABLE.test(value)) return null
    head += `${headers[i]}: ${value}\r\n`
  }
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
