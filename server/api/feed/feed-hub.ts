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

/** A part of a project's feed. */
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
  /** Calls back with the project that changed, and with null when notifications can have been lost. */
  listen(onChange: (projectId: string | null) => void): void
  log: Logger
}

/** Serves the streams of many clients. Each followed project has one reader, for all its streams. */
export interface FeedHub {
  /**
   * Sends the items after `after`, then new ones, until the stream ends. `beforeSend` gets each batch before it is sent; if it
   * throws, the stream ends.
   */
  follow(
    stream: EventStream,
    selection: FeedSelection,
    beforeSend?: (items: FeedItem[]) => Promise<void>,
  ): Promise<void>
}

const PAGE_SIZE = 100
/** Connections of the pool: streams must leave most of them to other requests. */
const READ_CONCURRENCY = 2
/** Separate, so that clients which read a long history do not delay live events. */
const CATCH_UP_CONCURRENCY = 1
/** Characters of events that are kept for streams which have not read them; a slower stream reads from the database. */
const WINDOW_CHARS = 2 * 1024 * 1024
/** One read covers the events of this time, so that a busy project costs at most 50 reads a second. */
const READ_GAP_MS = 20
/** Interval of reads without a notification, in case one was lost. Each reader adds up to a quarter, so that they do not read together. */
const POLL_INTERVAL_MS = 10_000
/** Rows wait for older transactions, whose end sends no notification. One query for all projects. */
const HORIZON_INTERVAL_MS = 500
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
  const limited = limitConcurrency(READ_CONCURRENCY)
  const limitedCatchUp = limitConcurrency(CATCH_UP_CONCURRENCY)
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
    // Its followers wait for it too, and end their streams on an error.
    const window = await reader.window.catch(() => null)
    while (window && reader.followers.size > 0) {
      const isMore = await readOnce(projectId, reader, window).catch(async (err: unknown) => {
        parts.log.warn(
          { err, component: parts.name, project_id: projectId },
          'Reading an event feed failed; retrying',
        )
        await pause(RETRY_MS)
        return true
      })
      if (isMore) continue
      await pause(READ_GAP_MS)
      await reader.wakeSignal.wait(POLL_INTERVAL_MS * (1 + Math.random() / 4))
    }
  }

  /** Returns whether more rows can be read now. */
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
    // Rows committed before the notification are below the snapshot's xmax. Later reads do not move this mark: on a busy
    // server some transaction is always open, and every reader would poll without end.
    if (isNotified) reader.mayHaveBelow = page.horizon.xmax
    reader.readBelow = page.horizon.xmin
    if (isUnsettled(reader)) watchHorizon()
    return false
  }

  let isWatching = false
  /** Wakes readers whose rows have become certain, until no row waits for another transaction. */
  function watchHorizon(): void {
    if (isWatching) return
    isWatching = true
    void (async () => {
      for (;;) {
        await pause(HORIZON_INTERVAL_MS)
        const unsettled = [...readers.values()].filter(isUnsettled)
        if (unsettled.length === 0) break
        const horizon = await limited(parts.readHorizon).catch(() => null)
        for (const reader of unsettled)
          if (horizon && horizon.xmin > reader.readBelow) reader.wakeSignal.signal()
      }
      isWatching = false
    })()
  }

  return {
    async follow(stream, selection, beforeSend) {
      const follower: Follower = { after: selection.after, wakeSignal: createWakeSignal() }
      // Before the first read: the window keeps new items until this stream has sent them, so that there is no gap between
      // its own reads and the window.
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

/** The position up to which every follower has read. */
function leastOf(followers: Set<Follower>, end: Position): Position {
  let least = end
  for (const { after } of followers) if (comparePositions(after, least) < 0) least = after
  return least
}
