import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import {
  type BackendOptions,
  type Reply,
  startBackend,
  type TestBackend,
} from '../../../test/support/backend.ts'
import {
  newConversation,
  newPortal,
  type Portal,
  type TestConversation,
  untilStatus,
} from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import type { JobData, RunningJob } from '../../background/queue.ts'
import { createEmitter } from '../../webhooks/index.ts'

export let backend: TestBackend
export let portal: Portal

/** Starts a backend with one project before the tests of a file, then calls `onStart`, and stops all after the tests. */
export function setUp(
  options: BackendOptions,
  project: object = {},
  onStart?: (stack: AsyncDisposableStack) => Promise<void> | void,
): void {
  const started = new AsyncDisposableStack()
  before(async () => {
    backend = await startBackend(options)
    started.defer(() => backend.stop())
    portal = await newPortal(backend, project)
    await onStart?.(started)
  })
  after(() => started.disposeAsync())
}

export const query = async (text: string, values: unknown[] = []): Promise<Reply['body'][]> =>
  (await backend.database.pool.query(text, values)).rows

/** For functions that are called without a request. */
export const lifecycle = () => ({
  jobs: backend.jobs,
  emit: createEmitter({ publicUrl: 'http://parley.test', tierGates: true }),
})

interface RecordedOptions {
  of?: Portal
  start?: object
  /** The status to wait for; null: do not wait. */
  status?: 'done' | 'failed' | null
  seconds?: number
}

/** A finished conversation with one chunk for each text. */
export async function recorded(
  said: string | (string | Uint8Array)[],
  { of = portal, start = {}, status = 'done', seconds = 1 }: RecordedOptions = {},
): Promise<TestConversation> {
  const conversation = await newConversation(of, start)
  const { id, token, send } = conversation
  for (const [seq, chunk] of [said].flat().entries()) {
    const bytes = typeof chunk === 'string' ? wavOf(chunk, seconds) : chunk
    assert.equal((await send('PUT', `/chunks/${seq}`, bytes)).status, 201)
  }
  await send('POST', '/finish')
  if (status) await untilStatus(of, id, token, status)
  return conversation
}

export const untilErased = (id: string) =>
  until(
    async () => (await query('select erased_at from conversations where id = $1', [id]))[0],
    ({ erased_at }) => erased_at !== null,
  )

/** An attempt of a job, the first by default. */
export const jobOf = (data: JobData, retry = 0): RunningJob => ({
  data,
  projectId: null,
  priority: 0,
  retry,
  isLast: false,
  signal: new AbortController().signal,
})
