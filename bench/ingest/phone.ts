import { Agent, request } from 'undici'
import { wavHead } from '../../test/support/wav.ts'

/** More connections than any benchmark has phones. */
const agent = new Agent({ connections: 512 })

/** A phone that records one conversation. */
export interface Phone {
  /** Resolves when the service confirms the chunk. */
  send(seq: number, bytes: Buffer): Promise<void>
  finish(): Promise<void>
  id: string
}

export async function newPhone(url: string, projectId: string): Promise<Phone> {
  const base = `${url}/api/participant`
  const start = `${base}/projects/${projectId}/conversations`
  const json = { 'content-type': 'application/json' }
  const { id, token } = (await requestJson(start, 'POST', json, '{}')) as { id: string; token: string }
  const credential = { 'x-participant-token': token }
  return {
    id,
    send: async (seq, bytes) => {
      const headers = { ...credential, 'content-type': 'audio/wav' }
      await requestJson(`${base}/conversations/${id}/chunks/${seq}`, 'PUT', headers, bytes)
    },
    finish: async () => {
      await requestJson(`${base}/conversations/${id}/finish`, 'POST', credential)
    },
  }
}

/** Sends a request and returns its JSON. Throws on an error status, which ends the benchmark. */
export async function requestJson(
  url: string,
  method: 'POST' | 'PUT' | 'GET',
  headers: Record<string, string>,
  body: string | Buffer | null = null,
): Promise<unknown> {
  const response = await request(url, { method, headers, body, dispatcher: agent })
  const text = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`${method} ${url} failed with ${response.statusCode}`)
  return text === '' ? null : JSON.parse(text)
}

/** A silent WAV file of this size. */
export function newChunk(bytes: number): Buffer {
  const head = wavHead({ rate: 16_000, bits: 16, dataBytes: bytes - 44 })
  return Buffer.concat([head, Buffer.alloc(bytes - head.length)])
}
