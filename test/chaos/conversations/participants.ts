import { type Network, runSession, type Session } from './participant.ts'
import { newRecording, newTexts } from './recording.ts'

export interface ParticipantsOptions extends Pick<Network, 'url' | 'random' | 'waits'> {
  projects: string[]
  conversations: number
  chunks: number
  concurrency: number
  /** The duration of all sessions when no fault delays them. */
  seconds: number
  /** Stands in all that these participants say, so that two groups never say the same: the checker finds words of erased recordings. */
  group?: string
}

/** Besides the sessions that send chunks and finish. */
const WITHDRAWN = 0.1
const AS_FILES = 0.2
const LIVE = 0.25
const CHUNKS_PER_FILE = 3
const WITH_TEXTS = 0.3
const MAX_EXTRA_SESSIONS = 2
/** Each of them has to be transcribed, joined and summarized: more would only keep the workers busy. */
const EXTRA_EVERY_MS = 1_500

/** People who record while the service is being killed. */
export function createParticipants(options: ParticipantsOptions) {
  const { projects, conversations, chunks, concurrency, seconds, random } = options
  const sessions: Session[] = []
  const network: Network = { ...options, statuses: new Map(), wrongResponses: [] }
  const paceMs = (seconds * 1000 * concurrency) / (conversations * chunks)
  const extra = new Set<Promise<void>>()
  const nextExtraAt = { finish: 0, withdraw: 0 }

  const anyUpload = (): Session['upload'] => (random.chance(AS_FILES) ? 'files' : 'chunks')

  function runOne({ ending, upload }: Pick<Session, 'ending' | 'upload'>, isShort = false): Promise<void> {
    const name = `${options.group ?? ''}${sessions.length}`
    const own = random.fork(`participant ${sessions.length}`)
    const isLive = upload === 'chunks' && own.chance(LIVE)
    const count = isShort ? 1 : upload === 'files' ? Math.ceil(chunks / CHUNKS_PER_FILE) : chunks
    const session: Session = {
      recording: newRecording(name, count, isLive, own),
      upload,
      texts: own.chance(WITH_TEXTS) ? newTexts(name, Math.min(2, count), own) : [],
      ending,
      id: null,
      token: null,
      isOver: false,
    }
    sessions.push(session)
    return runSession(session, { ...network, random: own }, own.pick(projects), isShort ? 0 : paceMs)
  }

  return {
    sessions,
    network,
    /** Those whose status and code begin so. */
    countResponses: (beginning: string): number =>
      network.statuses
        .entries()
        .reduce((sum, [response, count]) => sum + (response.startsWith(beginning) ? count : 0), 0),
    run: async () => {
      let left = conversations
      const runInTurn = async () => {
        while (left-- > 0) {
          if (random.chance(WITHDRAWN)) await runOne({ ending: 'withdraw', upload: anyUpload() })
          if (random.chance(AS_FILES)) await runOne({ ending: 'finish', upload: 'files' })
          await runOne({ ending: 'finish', upload: 'chunks' })
        }
      }
      await Promise.all(Array.from({ length: concurrency }, runInTurn))
    },
    /** One more short session, for a fault that waits for its occasion. */
    runExtra: (ending: Session['ending']) => {
      if (extra.size >= MAX_EXTRA_SESSIONS || performance.now() < nextExtraAt[ending]) return
      nextExtraAt[ending] = performance.now() + EXTRA_EVERY_MS
      const session = runOne({ ending, upload: anyUpload() }, true).finally(() => extra.delete(session))
      extra.add(session)
    },
    extraOver: () => Promise.all(extra),
  }
}

export type Participants = ReturnType<typeof createParticipants>
