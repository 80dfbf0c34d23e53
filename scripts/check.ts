import { spawn } from 'node:child_process'
import { once } from 'node:events'
import manifest from '../package.json' with { type: 'json' }

const { workspaces } = manifest

/** `npm run check`: all static checks, in parallel. The exit code is 0 if all passed. */
const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '-p', '.'],
  ['types of the tests of the pages', 'tsc', '-p', 'web/tsconfig.test.json'],
  ['types of the service worker', 'tsc', '-p', 'web/service-worker'],
  ['format and lint', 'biome', 'ci', '--error-on-warnings'],
  ['lint with types', 'oxlint', '--type-aware', '--deny-warnings'],
  ['dead code', 'knip'],
  ['boundaries', 'depcruise', '--config', '.dependency-cruiser.cjs', ...workspaces, 'test', 'scripts'],
  ['words', 'node', 'scripts/check-words.ts'],
  ['types and texts of the pages', 'node', 'scripts/check-pages.ts'],
  ['generated documents', 'node', 'scripts/generate-docs.ts'],
  ['lockfile', 'node', 'scripts/check-lockfile.ts'],
]

async function run([name, command, ...args]: (typeof checks)[number]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data))
  child.stderr.on('data', (data: Buffer) => (output += data))
  const [code] = (await once(child, 'close')) as [number | null]
  const passed = code === 0
  console.log(`${passed ? '✔' : '✖'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  if (!passed) console.log(output.trimEnd())
  return passed
}

const isReady = await run(['types of the API', 'node', 'scripts/generate-client.ts'])
const results = await Promise.all(checks.map(run))
process.exit(isReady && results.every(Boolean) ? 0 : 1)
