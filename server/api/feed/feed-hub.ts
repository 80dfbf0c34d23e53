import { setTimeout as pause } from 'node:timers/promises'
import { limitConcurrency } from '../../../platform/concurrency-limit.ts'
import type { Logger } from '../../../platform/log.ts'
import { createWakeSignal, type WakeSignal } from '../../../platform/wake-signal.ts'
import type { EventStream } from '../event-stream.ts'
import {
  certainUpTo,
  comparePositions,
  type FeedPage,
  type Horizon,
  laterPosition,
  type Position,
} from './feed.ts'
import { createFeedWindow, type FeedItem, type FeedWindow } from './feed-window.ts'

/** What is read of a project's feed. */
export interface FeedSelection {
  projectId: string
  after: Position
  /** Null for all. */
  types: readonly string[] | null
  since: string | null
}

export interface FeedHubParts {
  /** Names the feed in logs. */
  name: string
  read(selection: FeedSelection, limit: number): Promise<FeedPage<FeedItem>>
  readHorizon(): Promise<Horizon>
  /** Calls back with the project in which something happened, and with null when notifications may have been lost. */
  listen(hear: (projectId: string | null) => void): void
  log: Logger
}

/** Feeds the streams of many clients. Each project that is followed has one reader, however many streams follow it. */
export interface FeedHub {
  /**
   * Sends what comes after `after`, and then what is new, until the stream ends. `beforeSend` gets each batch before any of it is
   * sent; if it throws, the stream ends.
   */
  follow(
    stream: EventStream,
    selection: FeedSelection,
    beforeSend?: (items: FeedItem[]) => Promise<void>,
  ): Promise<void>
}

const PAGE_SIZE = 100
/** Of the pool's connections: streams must leave most of them to everybody else's requests. */
const READS_AT_ONCE = 2
/** Apart, so that clients who read a long past do not hold up what is live. */
const CATCH_UPS_AT_ONCE = 1
/** Longest texts of events that are kept for streams that have not read them yet; a slower one reads from the database. */
const WINDOW_CHARS = 2 * 1024 * 1024
/** One read takes in what happens in so short a time, so that a busy project costs at most 50 reads a second. */
const READ_GAP_MS = 20
/** Without any notification, in case one was lost. Each reader adds up to a quarter, so that they do not read together. */
const READ_EVERY_MS = 10_000
/** A row waits for other transactions, whose end notifies nobody. Asked once for all projects. */
const LOOK_EVERY_MS = 500
const RETRY_MS = 1_000
/** A stream waits for its reader, which wakes it; this only bounds a timer. */
const IDLE_MS = 60_000

interface Follower {
  after: Position
  wakeSignal: WakeSignal
}

interface Reader {
  window: Promise<FeedWindow>
  followers: Set<Follower>
  wakeSignal: WakeSignal
  /** A notification came since the last read began. */
  isNotified: boolean
  /** Rows of transactions below this may be committed; those from `readBelow` on have not been read yet. */
  mayHaveBelow: bigint
  readBelow: bigint
}

export function createFeedHub(parts: FeedHubParts): FeedHub {
  const readers = new Map<string, Reader>()
  const limited = limitConcurrency(READS_AT_ONCE)
  const limitedCatchUp = limitConcurrency(CATCH_UPS_AT_ONCE)
  const catchUp = (selection: FeedSelection) => limitedCatchUp(() => parts.read(selection, PAGE_SIZE))

  parts.listen((projectId) => {
    if (projectId === null) for (const reader of readers.values()) notify(reader)
    else notify(readers.get(projectId))
  })

  function join(projectId: string, follower: Follower): Reader {
    let reader = readers.get(projectId)
    if (!reader) {
      const window = limited(parts.readHorizon).then((horizon) =>
        createFeedWindow(certainUpTo(horizon), WINDOW_CHARS),
      )
      reader = {
        window,
        followers: new Set(),
        wakeSignal: createWakeSignal(),
        isNotified: true,
        mayHaveBelow: 0n,
        readBelow: 0n,
      }
      readers.set(projectId, reader)
      void keepReading(projectId, reader)
    }
    reader.followers.add(follower)
    return reader
  }

  function leave(projectId: string, reader: Reader, follower: Follower): void {
    reader.followers.delete(follower)
    if (reader.followers.size > 0) return
    if (readers.get(projectId) === reader) readers.delete(projectId)
    reader.wakeSignal.signal()
  }

  async function keepReading(projectId: string, reader: Reader): Promise<void> {
    // Its followers wait for it too, and end their streams.
    const window = await reader.window.catch(() => null)
    while (window && reader.followers.size > 0) {
      const isMore = await readOnce(projectId, reader, window).catch(async (err: unknown) => {
        parts.log.warn(
          { err, component: parts.name, project_id: projectId },
          'reading an event feed failed; will retry',
        )
        await pause(RETRY_MS)
        return true
      })
      if (isMore) continue
      await pause(READ_GAP_MS)
      await reader.wakeSignal.wait(READ_EVERY_MS * (1 + Math.random() / 4))
    }
  }

  /** Returns whether there may be more right now. */
  async function readOnce(projectId: string, reader: Reader, window: FeedWindow): Promise<boolean> {
    const { isNotified } = reader
    reader.isNotified = false
    const selection = { projectId, after: window.end(), types: null, since: null }
    const page = await limited(() => parts.read(selection, PAGE_SIZE)).catch((error: unknown) => {
      reader.isNotified = true
      throw error
    })
    window.forgetUpTo(leastOf(reader.followers, window.end()))
    window.append(page.items, page.end)
    for (const { wakeSignal } of reader.followers) wakeSignal.signal()
    if (page.isFull) {
      reader.isNotified ||= isNotified
      return true
    }
    // What was committed before the notification came is below the snapshot's xmax. Later reads do not move this mark:
    // on a busy server some transaction is always open, and every reader would look for ever.
    if (isNotified) reader.mayHaveBelow = page.horizon.xmax
    reader.readBelow = page.horizon.xmin
    if (isUnsettled(reader)) lookForEnds()
    return false
  }

  let isLooking = false
  /** Until nothing waits for other transactions: wakes the readers whose rows may have become certain. */
  function lookForEnds(): void {
    if (isLooking) return
    isLooking = true
    void (async () => {
      for (;;) {
        await pause(LOOK_EVERY_MS)
        const unsettled = [...readers.values()].filter(isUnsettled)
        if (unsettled.length === 0) break
        const horizon = await limited(parts.readHorizon).catch(() => null)
        for (const reader of unsettled)
          if (horizon && horizon.xmin > reader.readBelow) reader.wakeSignal.signal()
      }
      isLooking = false
    })()
  }

  return {
    async follow(stream, selection, beforeSend) {
      const follower: Follower = { after: selection.after, wakeSignal: createWakeSignal() }
      // Before the first read: what the reader gets from now on stays in its window until this stream has had it, so that
      // there is no gap between its own reads and the window.
      const reader = join(selection.projectId, follower)
      stream.signal.addEventListener('abort', follower.wakeSignal.signal)
      try {
        const window = await reader.window
        while (!stream.signal.aborted) {
          const page = window.covers(follower.after)
            ? window.after(follower.after)
            : await catchUp({ ...selection, after: follower.after })
          const wanted = page.items.filter((item) => isWanted(item, selection))
          if (wanted.length > 0) await beforeSend?.(wanted)
          for (const item of wanted) {
            if (stream.signal.aborted) return
            await stream.send({ id: item.position, type: item.type, data: item.data })
            follower.after = item.position
          }
          follower.after = laterPosition(follower.after, page.end)
          const isAtEnd = window.covers(follower.after) && comparePositions(follower.after, window.end()) >= 0
          if (isAtEnd) await follower.wakeSignal.wait(IDLE_MS)
        }
      } finally {
        leave(selection.projectId, reader, follower)
      }
    },
  }
}

function notify(reader: Reader | undefined): void {
  if (!reader) return
  reader.isNotified = true
  reader.wakeSignal.signal()
}

const isUnsettled = ({ readBelow, mayHaveBelow }: Reader): boolean => readBelow < mayHaveBelow

const isWanted = ({ type, at }: FeedItem, { types, since }: FeedSelection): boolean =>
  (types === null || types.includes(type)) && (since === null || at >= since)

/** Up to where every follower has read. */
function leastOf(followers: Set<Follower>, end: Position): Position {
  let least = end
  for (const { after } of followers) if (comparePositions(after, least) < 0) least = after
  return least
}
