import type { Network } from './asking.ts'
import { type Ending, record, type Story } from './phone.ts'
import { newRecording, newTexts } from './recording.ts'

export interface PhonesOptions extends Omit<Network, 'heard'> {
  projects: string[]
  conversations: number
  chunks: number
  atOnce: number
  /** How long all of them take where nothing is in their way. */
  seconds: number
}

/** On top of those that send their chunks and finish. */
const WITHDRAWN = 0.1
const AS_FILES = 0.2
const LIVE = 0.25
/** Whoever sends files has fewer of them. */
const CHUNKS_PER_FILE = 3
const WRITING = 0.3
/** They wait for an occasion too, where the API is down. */
const MOST_EXTRAS = 2

/** A room of people who record while the service is being killed under them. */
export class Phones {
  readonly stories: Story[] = []
  readonly heard: Network['heard'] = { statuses: new Map(), wrong: [] }
  private readonly options: PhonesOptions
  private readonly extras = new Set<Promise<void>>()

  constructor(options: PhonesOptions) {
    this.options = options
  }

  /** Resolves when every phone has said its last word. */
  async run(): Promise<void> {
    const { conversations, chunks, atOnce, seconds, random } = this.options
    const paceMs = (seconds * 1000 * atOnce) / (conversations * chunks)
    let left = conversations
    const runEach = async () => {
      while (left-- > 0) {
        if (random.happens(WITHDRAWN))
          await this.tell({ ending: 'withdraw', way: this.anyWay() }, chunks, paceMs)
        if (random.happens(AS_FILES)) await this.tell({ ending: 'finish', way: 'files' }, chunks, paceMs)
        await this.tell({ ending: 'finish', way: 'chunks' }, chunks, paceMs)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, runEach))
  }

  /** One more, short, for a fault that waits for its occasion. */
  oneMore(ending: Ending): void {
    if (this.extras.size >= MOST_EXTRAS) return
    const extra = this.tell({ ending, way: this.anyWay() }, 1, 0).finally(() => this.extras.delete(extra))
    this.extras.add(extra)
  }

  async allOver(): Promise<void> {
    await Promise.all(this.extras)
  }

  get fullDisks(): number {
    return this.heard.statuses.get(507) ?? 0
  }

  private anyWay(): Story['way'] {
    return this.options.random.happens(AS_FILES) ? 'files' : 'chunks'
  }

  private tell(plan: Plan, chunks: number, paceMs: number): Promise<void> {
    const { projects, random } = this.options
    const number = this.stories.length
    const own = random.of(`phone ${number}`)
    const story = newStory(`${number}`, plan, chunks, own)
    this.stories.push(story)
    const network = { ...this.options, random: own, heard: this.heard }
    return record(story, { ...network, projectId: own.pick(projects), paceMs })
  }
}

type Plan = Pick<Story, 'ending' | 'way'>

function newStory(name: string, { ending, way }: Plan, chunks: number, random: Network['random']): Story {
  const isLive = way === 'chunks' && random.happens(LIVE)
  const count = way === 'files' ? Math.ceil(chunks / CHUNKS_PER_FILE) : chunks
  return {
    recording: newRecording(name, count, isLive, random),
    way,
    texts: random.happens(WRITING) ? newTexts(name, Math.min(2, count), random) : [],
    ending,
    id: null,
    token: null,
    isOver: false,
  }
}
