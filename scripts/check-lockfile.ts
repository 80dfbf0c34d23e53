import { readFile } from 'node:fs/promises'

/** Versions below these have known holes. No advisory service is asked: a floor that everybody can read is checked instead. */
const FLOORS: Record<string, string> = {
  fastify: '5.12.2',
  '@fastify/static': '10.1.3',
  undici: '7.28.0',
  kysely: '0.28.17',
}

interface Lockfile {
  packages: Record<string, { version?: string; resolved?: string; link?: boolean }>
}

const isBelow = (version: string, floor: string): boolean => {
  const [a, b] = [version, floor].map((text) => text.split(/[.-]/).map(Number)) as [number[], number[]]
  const index = [0, 1, 2].find((part) => a[part] !== b[part])
  return index !== undefined && (a[index] ?? 0) < (b[index] ?? 0)
}

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lockfile
const problems = Object.entries(packages).flatMap(([path, { version, resolved, link }]) => {
  const name = path.replace(/^.*node_modules\//, '')
  const floor = FLOORS[name]
  return [
    floor && version && isBelow(version, floor) ? `${path} is ${version}, below ${floor}` : '',
    resolved && !link ? `${path} carries a download address` : '',
  ].filter(Boolean)
})

for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
