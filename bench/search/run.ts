import pg from 'pg'
import { parseNumberOptions, quantile, rounded, saveFigures } from '../deliveries/figures.ts'
import { startFixtures } from '../ingest/fixtures.ts'
import { KNOWN_WORDS, SELDOM_TAG, seed } from './seed.ts'

/**
 * `node bench/search/run.ts [--conversations=100000] [--segments=100] [--requests=200]`: the
 * latency of lists and searches in one large project over HTTP, one after the other, and the number of sequential scans.
 * Takes about ten minutes and 4 GB of the temporary folder.
 */
const options = parseNumberOptions({ conversations: 100_000, segments: 100, requests: 200 })
const GOAL_P95_MS = 50

await using fixtures = await startFixtures()
const client = new pg.Client({ connectionString: fixtures.databaseUrl })
await client.connect()
await seed(client, fixtures.projectId, options.conversations, options.segments)

const anyConversation = () => 1 + Math.floor(Math.random() * options.conversations)
const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toISOString()
const half = await cursorTo(Math.floor(options.conversations / 2))
/** The query strings, computed for each request. */
const QUERIES: Record<string, () => Record<string, string>> = {
  newest: () => ({}),
  'a page in the middle': () => ({ cursor: half }),
  'a status of one in 100': () => ({ status: 'failed' }),
  'a source of one in 10': () => ({ source: 'upload' }),
  'a status of none': () => ({ status: 'recording' }),
  'a source of none': () => ({ source: 'portal_text' }),
  'a tag of one in 3': () => ({ tag: 'north' }),
  'a tag of one in 1,000': () => ({ tag: SELDOM_TAG }),
  'a tag of none': () => ({ tag: 'unused' }),
  'a day long ago': () => ({
    since: minutesAgo(options.conversations * 0.9),
    until: minutesAgo(options.conversations * 0.9 - 1440),
  }),
  'words that one in 2 holds': () => ({ q: 'often' }),
  'words that one in 100 holds': () => ({ q: 'sometimes' }),
  'words that one in 1,000 holds': () => ({ q: 'seldom' }),
  'words that one holds': () => ({ q: `single${anyConversation()}` }),
  'words that none holds': () => ({ q: 'neversaidword' }),
  'the beginning of many words': () => ({ q: 'b' }),
  'two letters': () => ({ q: 'ba' }),
  'a letter and a rare word': () => ({ q: 'b seldom' }),
  'two words, one of them rare': () => ({ q: 'often seldom' }),
  'rare words and a status': () => ({ q: 'seldom', status: 'failed' }),
  'a sentence without blanks that one in 1,000 holds': () => ({ q: '図書館の開館時間' }),
  'two words that never meet': () => ({ q: `single${anyConversation()} single${anyConversation()}` }),
}

const scansBefore = await fullScans()
const figures: Record<string, { p50_ms: number; p95_ms: number; found: number }> = {}
for (const [name, query] of Object.entries(QUERIES)) {
  await list(query())
  const times: number[] = []
  let found = 0
  for (let n = 0; n < options.requests; n++) {
    const began = performance.now()
    found = (await list(query())).data.length
    times.push(performance.now() - began)
  }
  figures[name] = {
    p50_ms: rounded(quantile(times, 0.5), 1),
    p95_ms: rounded(quantile(times, 0.95), 1),
    found,
  }
}
const scans = (await fullScans()) - scansBefore
console.table(figures)
const [{ size } = { size: '' }] = (
  await client.query<{ size: string }>('select pg_size_pretty(pg_database_size(current_database())) as size')
).rows
await client.end()
await saveFigures('search', {
  ...options,
  known_words: KNOWN_WORDS,
  database: size,
  goal_p95_ms: GOAL_P95_MS,
  slowest_p95_ms: Math.max(...Object.values(figures).map(({ p95_ms }) => p95_ms)),
  tables_read_from_end_to_end: scans,
  figures,
})

interface Page {
  data: { id: string }[]
  next_cursor: string | null
}

async function list(query: Record<string, string>): Promise<Page> {
  const search = new URLSearchParams({ limit: '50', ...query })
  const url = `${fixtures.api.url}/api/v2/projects/${fixtures.projectId}/conversations?${search.toString()}`
  const response = await fetch(url, { headers: { authorization: fixtures.authorization } })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Page
}

async function cursorTo(position: number): Promise<string> {
  let { next_cursor } = await list({ limit: '200' })
  for (let at = 200; at < position && next_cursor !== null; at += 200)
    next_cursor = (await list({ limit: '200', cursor: next_cursor })).next_cursor
  return next_cursor ?? ''
}

/** Sequential scans since the server started, of the tables that lists and searches read. */
async function fullScans(): Promise<number> {
  const { rows } = await client.query<{ scans: string }>(
    `select sum(seq_scan) as scans from pg_stat_user_tables
     where relname in ('conversations', 'segments', 'conversation_words')`,
  )
  return Number(rows[0]?.scans)
}
