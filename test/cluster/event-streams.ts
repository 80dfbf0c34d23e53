import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../chaos/framework/api-client.ts'
import type { Violations } from '../chaos/framework/chaos-run.ts'
import type { Cluster } from '../chaos/framework/cluster.ts'

/** Clients of event streams, which reconnect with the position of the last event that they got. */
export interface EventStreams {
  /** Resolves when the clients have as many events as the database, or when they do not get more in time. */
  catchUp(): Promise<void>
  check(): { received: number; reconnections: number; violations: Violations }
}

const RETRY_MS = 200
/** A process that is frozen sends nothing, not even the comments that keep a stream alive every 15 s. */
const QUIET_LIMIT_MS = 20_000
const CAUGHT_UP_WITHIN_MS = 60_000

export function startEventStreams(
  fixtures: { apiUrl: string | undefined; cluster: Pick<Cluster, 'query'> },
  client: Pick<ApiClient, 'authorization'>,
  projects: readonly string[],
  since: Date,
): EventStreams {
  const stopping = new AbortController()
  const received = new Map(projects.map((id) => [id, [] as string[]]))
  let connections = 0

  async function follow(project: string): Promise<void> {
    const events = received.get(project) as string[]
    let position: string | undefined
    while (!stopping.signal.aborted) {
      const url = `${fixtures.apiUrl}/api/v2/projects/${project}/events/stream?since=${since.toISOString()}`
      try {
        for await (const { id, data } of readStream(url, client, position, stopping.signal)) {
          position = id
          events.push(JSON.parse(data).id)
        }
      } catch {
        // The process was killed, or it is away.
      }
      connections++
      await pause(RETRY_MS)
    }
  }

  const following = Promise.all(projects.map(follow))
  const stored = new Map<string, string[]>()

  async function readStored(project: string): Promise<void> {
    const query = 'select id from events where project_id = $1'
    const rows = await fixtures.cluster.query<{ id: string }>(query, [project])
    stored.set(
      project,
      rows.map(({ id }) => id),
    )
  }

  return {
    catchUp: async () => {
      await Promise.all(projects.map(readStored))
      const isCaughtUp = () => projects.every((id) => sizeOf(received, id) >= sizeOf(stored, id))
      const deadline = performance.now() + CAUGHT_UP_WITHIN_MS
      while (!isCaughtUp() && performance.now() < deadline) await pause(100)
      stopping.abort()
      await following
    },
    check: () => {
      const missed: string[] = []
      const repeated: string[] = []
      for (const project of projects) {
        const got = received.get(project) as string[]
        const unique = new Set(got)
        if (unique.size < got.length) repeated.push(`${project}: ${got.length - unique.size}`)
        const lost = (stored.get(project) ?? []).filter((id) => !unique.has(id))
        if (lost.length > 0) missed.push(`${project}: ${lost.length} of ${sizeOf(stored, project)}`)
      }
      return {
        received: projects.reduce((sum, id) => sum + sizeOf(received, id), 0),
        reconnections: connections - projects.length,
        violations: { 'event missing in a stream': missed, 'event repeated in a stream': repeated },
      }
    },
  }
}

const sizeOf = (lists: ReadonlyMap<string, string[]>, id: string): number => lists.get(id)?.length ?? 0

interface StreamedEvent {
  id: string
  data: string
}

async function* readStream(
  url: string,
  client: Pick<ApiClient, 'authorization'>,
  position: string | undefined,
  stopping: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), QUIET_LIMIT_MS)
  try {
    const response = await fetch(url, {
      headers: {
        authorization: await client.authorization(),
        ...(position === undefined ? {} : { 'last-event-id': position }),
      },
      signal: AbortSignal.any([stopping, ending.signal]),
    })
    if (!response.ok || response.body === null) throw new Error(`${response.status}`)
    let text = ''
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh()
      const blocks = (text + part).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = /^id: ?(.+)$/m.exec(block)?.[1]
        const data = /^data: ?(.+)$/m.exec(block)?.[1]
        if (id && data) yield { id, data }
      }
    }
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}
