import { Agent, request } from 'undici'

/** As many connections as there are phones. */
const agent = new Agent({ connections: 512 })

/** A conversation that somebody records. */
export interface Phone {
  /** Resolves when the service says that it has it. */
  send(seq: number, bytes: Buffer): Promise<void>
  finish(): Promise<void>
  id: string
}

export async function newPhone(url: string, projectId: string): Promise<Phone> {
  const { id, token } = (await ask(
    url,
    'POST',
    `/projects/${projectId}/conversations`,
    {
      'content-type': 'application/json',
    },
    '{}',
  )) as { id: string; token: string }
  const own = { 'x-participant-token': token }
  return {
    id,
    send: async (seq, bytes) => {
      const headers = { ...own, 'content-type': 'audio/wav' }
      await ask(url, 'PUT', `/conversations/${id}/chunks/${seq}`, headers, bytes)
    },
    finish: async () => {
      await ask(url, 'POST', `/conversations/${id}/finish`, own)
    },
  }
}

async function ask(
  url: string,
  method: 'POST' | 'PUT',
  path: string,
  headers: Record<string, string>,
  body: string | Buffer | null = null,
): Promise<unknown> {
  return post(`${url}/api/participant${path}`, method, headers, body)
}

/** Anything but success ends the benchmark. */
export async function post(
  url: string,
  method: 'POST' | 'PUT' | 'GET',
  headers: Record<string, string>,
  body: string | Buffer | null = null,
): Promise<unknown> {
  const answer = await request(url, { method, headers, body, dispatcher: agent })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} was answered ${answer.statusCode}`)
  return text === '' ? null : JSON.parse(text)
}

/** Nothing, with so many bytes behind its head. */
export function newChunk(bytes: number): Buffer {
  const chunk = Buffer.alloc(bytes)
  chunk.write('RIFF', 0)
  chunk.writeUInt32LE(bytes - 8, 4)
  chunk.write('WAVEfmt ', 8)
  chunk.writeUInt32LE(16, 16)
  chunk.writeUInt16LE(1, 20)
  chunk.writeUInt16LE(1, 22)
  chunk.writeUInt32LE(16_000, 24)
  chunk.writeUInt32LE(32_000, 28)
  chunk.writeUInt16LE(2, 32)
  chunk.writeUInt16LE(16, 34)
  chunk.write('data', 36)
  chunk.writeUInt32LE(bytes - 44, 40)
  return chunk
}
