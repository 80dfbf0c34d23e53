import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../platform/log.ts'
import { until } from '../../../test/support/webhooks.ts'
import type { EventStream } from '../event-stream.ts'
import { certainUpTo, comparePositions, FEED_START, type FeedPage, type Position } from './feed.ts'
import { createFeedHub, type FeedSelection } from './feed-hub.ts'
import { createFeedWindow, type FeedItem } from './feed-window.ts'

const ID = '00000000-0000-7000-8000-000000000000'
const at = (n: number): Position => `${n}:${ID}`
const AT = '2026-01-31T10:00:00.000Z'

/** A feed in memory. Item `n` was written by transaction `n`; those below `xmin` can be read. */
function newFeed() {
  const items: FeedItem[] = []
  let open: number | null = null
  let notify: (projectId: string | null) => void = () => {}
  const reads: FeedSelection[] = []
  let failures = 0
  const horizon = () => {
    const xmax = BigInt(items.length + 1)
    return { xmin: open === null ? xmax : BigInt(open), xmax }
  }
  const hub = createFeedHub({
    name: 'test',
    log: createLog('silent'),
    listen: (listener) => {
      notify = listener
    },
    readHorizon: async () => horizon(),
    read: async (selection, limit): Promise<FeedPage<FeedItem>> => {
      reads.push(selection)
      const { after, types } = selection
      const seen = horizon()
      const limited = items
        .filter(({ position }) => comparePositions(position, certainUpTo(seen)) <= 0)
        .filter(
          ({ position, type }) => comparePositions(position, after) > 0 && (types?.includes(type) ?? true),
        )
        .slice(0, limit)
      // During the query of a real database, more items arrive.
      await new Promise((resolve) => setTimeout(resolve, 2))
      if (failures > 0) {
        failures -= 1
        throw new Error('the database is away')
      }
      const isFull = limited.length === limit
      const end = isFull ? (limited.at(-1)?.position ?? after) : certainUpTo(seen)
      return { items: limited, end, isFull, horizon: seen }
    },
  })
  return {
    hub,
    reads,
    add: (data = '{}', type = 'even') => {
      items.push({ position: at(items.length + 1), type, at: AT, data })
      notify('p')
    },
    /** The transaction of item `n` stays open. */
    hold: (n: number | null) => {
      open = n
    },
    fail: (count: number) => {
      failures = count
    },
  }
}

/** Follows the feed from a position until the test ends the stream. */
function follow(
  { hub }: ReturnType<typeof newFeed>,
  selection: Partial<FeedSelection> = {},
  send?: () => Promise<void>,
) {
  const over = new AbortController()
  const ids: string[] = []
  const stream: EventStream = {
    signal: over.signal,
    send: async ({ id }) => {
      ids.push(id)
      await send?.()
    },
    end: () => over.abort(),
  }
  const got = (count: number) =>
    until(
      async () => ids,
      ({ length }) => length >= count,
    )
  const running = hub.follow(stream, {
    projectId: 'p',
    types: null,
    since: null,
    after: FEED_START,
    ...selection,
  })
  const end = () => {
    over.abort()
    return running
  }
  return { stream, ids, got, end }
}

const upTo = (count: number): string[] => Array.from({ length: count }, (_, n) => at(n + 1))

test('streams that join at any time, from any position, get every later item once and in order', async () => {
  const feed = newFeed()
  const streams: { ids: string[]; from: number; end(): Promise<void> }[] = []
  for (let n = 1; n <= 400; n++) {
    feed.add()
    if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    if (n % 10 !== 0) continue
    const from = (n * 7) % n
    streams.push({ from, ...follow(feed, { after: from === 0 ? FEED_START : at(from) }) })
  }
  await until(
    async () => streams,
    (them) => them.every(({ ids }) => ids.at(-1) === at(400)),
  )
  for (const { ids, from, end } of streams) {
    assert.deepEqual(ids, upTo(400).slice(from))
    await end()
  }
})

test('a hundred streams of a project read as often as one', async () => {
  const readsOf = async (count: number) => {
    const feed = newFeed()
    feed.add()
    const streams = Array.from({ length: count }, () => follow(feed, { after: at(1) }))
    let atOpening = 0
    for (let n = 2; n <= 12; n++) {
      feed.add()
      await Promise.all(streams.map(({ got }) => got(n - 1)))
      atOpening ||= feed.reads.length
    }
    const live = feed.reads.length - atOpening
    await Promise.all(streams.map(({ end }) => end()))
    return live
  }
  const [one, many] = [await readsOf(1), await readsOf(100)]
  assert.ok(many <= one + 2, `${one} reads for one stream, ${many} for a hundred`)
})

test('an item behind an open transaction is sent when that ends, without another notification', async () => {
  const feed = newFeed()
  const { ids, got, end } = follow(feed)
  feed.add()
  await got(1)
  feed.hold(2)
  feed.add()
  feed.add()
  await until(
    async () => feed.reads.length,
    (count) => count >= 3,
  )
  assert.deepEqual(ids, upTo(1))
  feed.hold(null)
  assert.deepEqual(await got(3), upTo(3))
  await end()
})

test('a client that does not read delays no other client, and resumes at its position', async () => {
  const feed = newFeed()
  feed.add()
  const stuck = Promise.withResolvers<void>()
  const slow = follow(feed, {}, () => stuck.promise)
  const quick = follow(feed)
  await slow.got(1)
  // More than a window holds.
  const data = JSON.stringify('x'.repeat(100_000))
  for (let n = 2; n <= 60; n++) {
    feed.add(data)
    await quick.got(n)
  }
  assert.equal(slow.ids.length, 1)
  stuck.resolve()
  assert.deepEqual(await slow.got(60), upTo(60))
  assert.deepEqual(quick.ids, upTo(60))
  await Promise.all([slow.end(), quick.end()])
})

test('a stream gets the types that it asked for, from the past and live', async () => {
  const feed = newFeed()
  const add = (count: number) => {
    for (let n = 0; n < count; n++) feed.add('{}', n % 2 ? 'odd' : 'even')
  }
  add(300)
  const { got, end } = follow(feed, { types: ['odd'] })
  await got(150)
  add(100)
  assert.deepEqual(
    await got(200),
    upTo(400).filter((_, index) => index % 2 === 1),
  )
  await end()
})

test('retries a read that fails, and the streams stay open', async () => {
  const feed = newFeed()
  feed.add()
  const { stream, got, end } = follow(feed)
  await got(1)
  feed.fail(1)
  feed.add()
  assert.deepEqual(await got(2), upTo(2))
  assert.equal(stream.signal.aborted, false)
  await end()
})

test('a window drops the oldest items above its size, and no longer covers them', () => {
  const window = createFeedWindow(at(1), 10)
  const item = (n: number): FeedItem => ({ position: at(n), type: 'even', at: AT, data: 'xxxx' })
  window.append([item(2), item(3)], at(3))
  assert.deepEqual([window.covers(at(1)), window.after(at(1)).items.length], [true, 2])
  window.append([item(4)], at(5))
  assert.deepEqual([window.covers(at(1)), window.covers(at(2)), window.end()], [false, true, at(5)])
  window.forgetUpTo(at(3))
  assert.deepEqual([window.covers(at(2)), window.covers(at(3))], [false, true])
  assert.deepEqual(
    window.after(at(3)).items.map(({ position }) => position),
    [at(4)],
  )
})
