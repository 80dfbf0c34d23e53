import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Holds event streams open, and measures how soon changes arrive. */
export interface Listener {
  open(path: string, authorization: string): Promise<void>
  /** The number of open streams of this project. */
  streamsOf(projectId: string): number
  /** The service has just confirmed a change of this conversation. */
  changed(conversationId: string): void
  /** Milliseconds from each confirmation to each event, once the expected number has arrived or the timeout is over. */
  received(expected: number): Promise<number[]>
  close(): void
}

const TIMEOUT_MS = 10_000

export function openListener(url: string): Listener {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
  const responses: IncomingMessage[] = []
  const perProject = new Map<string, number>()
  const confirmedAt = new Map<string, number>()
  /** Kept until the end, because an event can arrive before the response that confirms the change. */
  const arrivals: { id: string; at: number }[] = []

  function read(response: IncomingMessage): void {
    let text = ''
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (part: string) => {
      const blocks = (text + part).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, id] = /"conversation_id":"([^"]+)"/.exec(block) ?? /"id":"([^"]+)"/.exec(block) ?? []
        if (block.startsWith('id: ') && id) arrivals.push({ id, at: performance.now() })
      }
    })
  }

  return {
    async open(path, authorization) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${url}${path}`, { agent, headers: { authorization } }, resolve).on('error', reject)
      })
      if (response.statusCode !== 200) throw new Error(`GET ${path} failed with ${response.statusCode}`)
      responses.push(response)
      read(response)
      const projectId = path.split('/')[4] as string
      perProject.set(projectId, (perProject.get(projectId) ?? 0) + 1)
    },
    streamsOf: (projectId) => perProject.get(projectId) ?? 0,
    changed: (id) => void confirmedAt.set(id, performance.now()),
    async received(expected) {
      for (let waited = 0; arrivals.length < expected && waited < TIMEOUT_MS; waited += 100) await pause(100)
      return arrivals.flatMap(({ id, at }) => {
        const confirmed = confirmedAt.get(id)
        return confirmed === undefined ? [] : [Math.max(0, at - confirmed)]
      })
    },
    close: () => {
      for (const response of responses) response.destroy()
      agent.destroy()
    },
  }
}
