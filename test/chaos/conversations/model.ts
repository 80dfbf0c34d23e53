import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Fixtures } from '../framework/fixtures.ts'

/** Faults of the model server, with the share of requests that get each. */
export const MODEL_ERRORS = {
  hang: 0.01,
  'incomplete JSON': 0.03,
  'rate limit': 0.03,
  'server error': 0.03,
  'closed connection': 0.03,
} as const
export type ModelError = keyof typeof MODEL_ERRORS

export interface ModelOptions {
  port: number
  seed: string
  isReliable: boolean
}

/** A model server that also keeps its address when it is restarted. */
export interface Model {
  settings: Record<string, string>
  key: string
  errors: Map<string, number>
  /** Makes no more errors from now on. */
  becomeReliable(): void
}

export async function startModel(fixtures: Fixtures, seed: string): Promise<Model> {
  const port = await findFreePort()
  const key = randomBytes(16).toString('hex')
  const errors = new Map<string, number>()
  let isReliable = false
  const model = fixtures.startProgram({
    name: 'model',
    script: () => join(import.meta.dirname, 'model-server.ts'),
    readyText: 'listening',
    environment: () => ({ MODEL: JSON.stringify({ port, seed, isReliable } satisfies ModelOptions) }),
    onLine: (line) => {
      const [, error] = /^error: (.+)$/.exec(line) ?? []
      if (error) errors.set(error, (errors.get(error) ?? 0) + 1)
    },
  })
  return {
    settings: {
      TRANSCRIBER: 'openai',
      // The samples are data, not speech.
      TRANSCRIBE_VOICE_DETECTION: 'off',
      SUMMARIZER: 'openai',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: key,
    },
    key,
    errors,
    becomeReliable: () => {
      isReliable = true
      model.signal('SIGUSR2')
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
