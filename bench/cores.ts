import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { median } from './deliveries/figures.ts'
import { seed, startParley, stopProcess } from './parley-process.ts'

/**
 * `npm run bench:cores [-- --workers=1,2,4,8 --rounds=3 --seconds=5]`: how many authenticated GETs of a project `npm start` serves in a
 * second, by the number of its processes. The load comes from this machine, so it takes cores, too.
 */
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4,8' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
  },
})
const counts = values.workers.split(',').map(Number)
const duration = Number(values.seconds)
/** Threads that send requests. */
const SENDERS = Math.max(1, Math.floor(availableParallelism() / 4))
const CONNECTIONS = 32 * SENDERS

const rows: { workers: number; per_second: number; times_one: number; memory_mb: number }[] = []
for (const workers of counts) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const service = await startParley(folder, { WORKERS: String(workers) })
  const { token, projectId } = await seed(service)
  const url = `${service.backend}/api/v2/projects/${projectId}`
  const load = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const result = await autocannon({ url, headers, connections: CONNECTIONS, duration, workers: SENDERS })
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${result.non2xx} rejected and ${result.errors} failed requests`)
    return result.requests.average
  }
  // For the compiler.
  await load()
  const rates: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) rates.push(await load())
  const text = await (await fetch(service.metrics)).text()
  const memory = Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1024 / 1024
  await stopProcess(service.child)
  await rm(folder, { recursive: true, force: true })
  const perSecond = median(rates)
  const row = {
    workers,
    per_second: Math.round(perSecond),
    times_one: Number((perSecond / (rows[0]?.per_second ?? perSecond)).toFixed(2)),
    memory_mb: Math.round(memory),
  }
  console.log(row)
  rows.push(row)
}

const result = {
  command: `npm run bench:cores -- --workers=${values.workers} --rounds=${values.rounds} --seconds=${values.seconds}`,
  at: new Date().toISOString(),
  machine: `${cpus().length} × ${cpus()[0]?.model}`,
  node: process.version,
  senders: SENDERS,
  connections: CONNECTIONS,
  rows,
}
await writeFile(join(import.meta.dirname, 'results/cores.json'), `${JSON.stringify(result, null, 2)}\n`)
