import { comparePositions, type Position } from './feed.ts'

export interface FeedItem {
  position: Position
  type: string
  /** When it happened: ISO 8601, UTC, with milliseconds, so that texts compare like times. */
  at: string
  data: string
}

/** The latest items of one feed, in memory, for all streams that follow it. */
export interface FeedWindow {
  /** Whether the window has everything after the position. */
  covers(position: Position): boolean
  after(position: Position): { items: FeedItem[]; end: Position }
  /** The start of the next read. */
  end(): Position
  append(items: FeedItem[], end: Position): void
  /** Drops items that every stream has sent. */
  forgetUpTo(position: Position): void
}

export function createFeedWindow(start: Position, maxChars: number): FeedWindow {
  let items: FeedItem[] = []
  let chars = 0
  let end = start

  function drop(count: number): void {
    const dropped = items.slice(0, count)
    items = items.slice(count)
    for (const { data } of dropped) chars -= data.length
    start = dropped.at(-1)?.position ?? start
  }
  const indexAfter = (position: Position): number =>
    items.findLastIndex((item) => comparePositions(item.position, position) <= 0) + 1

  return {
    covers: (position) => comparePositions(position, start) >= 0,
    after: (position) => ({ items: items.slice(indexAfter(position)), end }),
    end: () => end,
    append(more, newEnd) {
      items.push(...more)
      for (const { data } of more) chars += data.length
      end = newEnd
      let excess = 0
      for (let left = chars; left > maxChars && excess < items.length; excess++)
        left -= items[excess]?.data.length ?? 0
      drop(excess)
    },
    forgetUpTo: (position) => drop(indexAfter(position)),
  }
}
