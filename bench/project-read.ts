import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { SignJWT } from 'jose'
import pg from 'pg'
import { systemClock } from '../platform/clock.ts'
import { verifyToken } from '../server/auth/directus/verify-token.ts'
import { sharedSecretKeys } from '../server/auth/index.ts'
import { median } from './deliveries/figures.ts'
import { readDataDir, seed, startParley, stopProcess } from './parley-process.ts'

/**
 * `npm run bench`: an authenticated GET of a project compared with a bare Fastify route that does one primary-key SELECT on the
 * same PostgreSQL, in turns, because machines are noisy. Prints requests per second, their ratio, statements per request,
 * the cost of verifying a token, the memory under load and the times to start.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 10)
const SECONDS = Number(process.env['SECONDS'] ?? 4)
const CONNECTIONS = 32
/** For the compiler: the first seconds run at half the speed. */
const WARM_UP_ROUNDS = 3

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const first = await startParley(folder)
await stopProcess(first.child)
const service = await startParley(folder, { WORKERS: '1' })
const { token, projectId } = await seed(service)
const { databaseUrl, secret } = await readDataDir(folder)
const bare = fork(join(import.meta.dirname, 'bare-fastify.ts'), [databaseUrl])
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

const ours = {
  url: `${service.backend}/api/v2/projects/${projectId}`,
  headers: { authorization: `Bearer ${token}` },
}
const limit = { url: `${bareUrl}/projects/${projectId}`, headers: {} }
for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const target of [ours, limit]) await load(target)
const before = await transactions(databaseUrl)
let requests = 0
for (let round = 0; round < 2; round++) requests += (await load(ours)).requests
const statements = (await transactions(databaseUrl)) - before

const rates = { ours: [] as number[], bare: [] as number[] }
let peakMb = 0
for (let round = 0; round < ROUNDS; round++) {
  rates.ours.push((await load(ours)).perSecond)
  peakMb = Math.max(peakMb, await residentMb(service.metrics))
  rates.bare.push((await load(limit)).perSecond)
}

const result = {
  command: 'npm run bench',
  at: new Date().toISOString(),
  machine: `${cpus().length} × ${cpus()[0]?.model}`,
  node: process.version,
  connections: CONNECTIONS,
  ours_per_second: Math.round(median(rates.ours)),
  bare_per_second: Math.round(median(rates.bare)),
  ratio: Number((median(rates.ours) / median(rates.bare)).toFixed(3)),
  statements_per_request: Number((statements / requests).toFixed(3)),
  verify_hs256_us: Number((await verifyCost(secret)).toFixed(1)),
  memory_under_load_mb: Math.round(peakMb),
  first_start_s: first.seconds,
  later_start_s: service.seconds,
}
console.log(result)
await writeFile(
  join(import.meta.dirname, 'results/project-read.json'),
  `${JSON.stringify(result, null, 2)}\n`,
)

bare.disconnect()
await stopProcess(service.child)
await rm(folder, { recursive: true, force: true })

async function load({ url, headers }: { url: string; headers: Record<string, string> }) {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS, workers: 1 })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} rejected and ${result.errors} failed requests`)
  return { perSecond: result.requests.average, requests: result.requests.total }
}

async function transactions(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // An idle connection reports its statistics after 10 s.
  await client.query('select pg_sleep(11)')
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.count)
}

async function residentMb(metrics: string): Promise<number> {
  const text = await (await fetch(metrics)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024
}

/** Verifies new tokens, because the signatures of known ones are cached. */
async function verifyCost(secret: string): Promise<number> {
  const rules = { keys: sharedSecretKeys(secret), issuer: 'directus', clock: systemClock }
  const key = new TextEncoder().encode(secret)
  const sign = (n: number) =>
    new SignJWT({ id: `user-${n}`, role: null, app_access: true, admin_access: false, iss: 'directus' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(key)
  const tokens = await Promise.all(Array.from({ length: 4_000 }, (_, n) => sign(n)))
  const started = performance.now()
  for (const token of tokens)
    if (!(await verifyToken(token, rules))) throw new Error('the token was rejected')
  return ((performance.now() - started) * 1000) / tokens.length
}
