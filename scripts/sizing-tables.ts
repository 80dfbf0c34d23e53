import costs from '../bench/results/costs.json' with { type: 'json' }
import live from '../bench/results/live-speakers.json' with { type: 'json' }
import portal from '../bench/results/portal.json' with { type: 'json' }

/** Tables of docs/scaling.md: what one unit costs, and what follows for a load. All figures come from the results of benchmarks. */

/** The busiest minutes of a day have this many times its average. */
const PEAK = 4
const DAY_SECONDS = 86_400
const MINUTES_PER_MS = 60_000
const MILLION = 1_000_000
const CHUNK_SECONDS = 5

type Row = readonly (string | number)[]

export function costTable(): string {
  const rows = (['event', 'delivery', 'conversation', 'minute'] as const).map((unit): Row => {
    const { service_cpu_ms, postgres_cpu_ms, wal_bytes, database_bytes } = costs[unit]
    const cpu = [service_cpu_ms, postgres_cpu_ms].map((ms) => `${digits(ms)} ms`)
    return [NAMES[unit], ...cpu, size(wal_bytes), size(database_bytes)]
  })
  return table(['', 'CPU of Parley', 'CPU of PostgreSQL', 'WAL', 'stored in the database'], rows)
}

const NAMES = {
  event: 'an event, with one delivery of it',
  delivery: 'sending a delivery of 1 KiB',
  conversation: 'a conversation of one chunk',
  minute: 'each further minute of audio',
}

export function deliveriesTable(): string {
  const rows = [1, 10, 100].map((millions): Row => {
    const daily = millions * MILLION
    const peak = (daily / DAY_SECONDS) * PEAK
    const { event, delivery } = costs
    const wal = event.wal_bytes + delivery.wal_bytes
    const stored = event.database_bytes + delivery.database_bytes
    return [
      `${millions} million`,
      digits(peak),
      cores((peak * (event.service_cpu_ms + delivery.service_cpu_ms)) / 1_000),
      cores((peak * (event.postgres_cpu_ms + delivery.postgres_cpu_ms)) / 1_000),
      `${size(peak * wal)}/s`,
      size(daily * wal),
      size(daily * stored),
    ]
  })
  return table(
    [
      'events and deliveries a day',
      'in a second at the peak',
      'cores of Parley',
      'cores of PostgreSQL',
      'WAL at the peak',
      'WAL a day',
      'stored in a day',
    ],
    rows,
  )
}

export function recordingsTable(): string {
  const { service_cpu_ms, postgres_cpu_ms, wal_bytes } = costs.minute
  const { speech, decoders } = live.cpu_per_audio_second
  const audio = portal.recording.audio_bytes_per_minute
  const rows = [1_000, 10_000, 100_000].map(
    (recordings): Row => [
      recordings.toLocaleString('en'),
      (recordings / CHUNK_SECONDS).toLocaleString('en'),
      `${size((recordings * audio) / 60)}/s`,
      cores((recordings * service_cpu_ms) / MINUTES_PER_MS),
      cores((recordings * postgres_cpu_ms) / MINUTES_PER_MS),
      `${size((recordings * wal_bytes) / 60)}/s`,
      cores(recordings * (speech + decoders)),
      size(recordings * audio * 60),
    ],
  )
  return table(
    [
      'recordings at the same time',
      'chunks a second',
      'upload',
      'cores of Parley',
      'cores of PostgreSQL',
      'WAL',
      'cores for live text, embedded engine',
      'audio in an hour',
    ],
    rows,
  )
}

function table(head: readonly string[], rows: readonly Row[]): string {
  const lines = [head, ['---', ...head.slice(1).map(() => '---:')], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Two significant digits; more would promise too much. */
const digits = (value: number): string =>
  Number(value.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 })

const cores = (value: number): string => (value < 0.1 ? 'below 0.1' : digits(value))

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

function size(bytes: number): string {
  const power = Math.floor(Math.log10(bytes) / 3)
  return `${digits(bytes / 1_000 ** power)} ${UNITS[power]}`
}
