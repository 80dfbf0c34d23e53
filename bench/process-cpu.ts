import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds by the purpose of the processes. */
export interface PartSeconds {
  speech: number
  decoders: number
  postgres: number
  service: number
}

interface ProcessTime {
  pid: number
  parent: number
  command: string
  /** Including its children that have ended. */
  seconds: number
}

/** The CPU time of all processes that this one has started, directly or indirectly. */
export function cpuByPart(): PartSeconds {
  const parts = cpuBy(partOf)
  const of = (part: keyof PartSeconds) => parts.get(part) ?? 0
  return { speech: of('speech'), decoders: of('decoders'), postgres: of('postgres'), service: of('service') }
}

/** The CPU seconds of these processes by a name that depends on their command line. */
export function cpuBy(nameOf: (command: string) => string): Map<string, number> {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(timeOf)
  const found = new Set([process.pid])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid)
  }
  const sums = new Map<string, number>()
  for (const { pid, command, seconds } of processes) {
    if (!found.has(pid) || pid === process.pid) continue
    const name = nameOf(command)
    sums.set(name, (sums.get(name) ?? 0) + seconds)
  }
  return sums
}

function partOf(command: string): keyof PartSeconds {
  if (command.includes('decoder-main')) return 'decoders'
  if (command.includes('speech/worker')) return 'speech'
  return command.includes('postgres') ? 'postgres' : 'service'
}

/** Empty if the process has ended. */
function timeOf(name: string): ProcessTime[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0] = fields.slice(1)
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
    return [{ pid: Number(name), parent, command, seconds: ticks / 100 }]
  } catch {
    return []
  }
}
