import type { Random } from '../faults/random.ts'
import { type Ending, type Heard, record, type Story } from './phone.ts'
import { newRecording } from './recording.ts'

export interface PhonesOptions {
  url(): string | undefined
  projects: string[]
  conversations: number
  chunks: number
  atOnce: number
  /** How long all of them take where nothing is in their way. */
  seconds: number
  random: Random
}

/** On top of those that finish. */
const WITHDRAWN = 0.1
const LIVE = 0.25
/** They wait for an occasion too, where the API is down. */
const MOST_EXTRAS = 2

/** A room of people who record while the service is being killed under them. */
export class Phones {
  readonly stories: Story[] = []
  readonly heard: Heard = { statuses: new Map(), wrong: [] }
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
    const inTurn = async () => {
      while (left-- > 0) {
        if (random.happens(WITHDRAWN)) await this.tell('withdraw', chunks, paceMs)
        await this.tell('finish', chunks, paceMs)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, inTurn))
  }

  /** One more, short, for a fault that waits for its occasion. */
  oneMore(ending: Ending): void {
    if (this.extras.size >= MOST_EXTRAS) return
    const extra = this.tell(ending, 1, 0).finally(() => this.extras.delete(extra))
    this.extras.add(extra)
  }

  async allOver(): Promise<void> {
    await Promise.all(this.extras)
  }

  get fullDisks(): number {
    return this.heard.statuses.get(507) ?? 0
  }

  private tell(ending: Ending, chunks: number, paceMs: number): Promise<void> {
    const { url, projects, random } = this.options
    const number = this.stories.length
    const own = random.of(`phone ${number}`)
    const story: Story = {
      recording: newRecording(`${number}`, chunks, own.happens(LIVE), own),
      ending,
      id: null,
      token: null,
      isOver: false,
    }
    this.stories.push(story)
    return record(story, { url, projectId: own.pick(projects), paceMs, random: own, heard: this.heard })
  }
}
