import { spawn } from 'node:child_process'
import { once } from 'node:events'
import manifest from '../package.json' with { type: 'json' }

const { workspaces } = manifest

/** Version 7 of the compiler takes a third of the time. Code that needs the compiler's API uses version 6 (ADR 0049). */
const TYPES = ['node_modules/@typescript/native/bin/tsc', '--checkers', '1', '-p'] as const

/** `npm run check`: all static checks, in parallel. The exit code is 0 if all passed. */
const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', ...TYPES, '.'],
  ['types of the pages', ...TYPES, 'web'],
  ['types of the tests of the pages', ...TYPES, 'web/tsconfig.test.json'],
  ['types of the service worker', ...TYPES, 'web/service-worker'],
  ['format and lint', 'biome', 'ci', '--error-on-warnings'],
  ['lint with types', 'oxlint', '--type-aware', '--deny-warnings'],
  ['dead code', 'knip'],
  ['boundaries', 'depcruise', '--config', '.dependency-cruiser.cjs', ...workspaces, 'test', 'scripts'],
  ['words', 'node', 'scripts/check-words.ts'],
  ['texts of the pages', 'node', 'scripts/check-texts.ts'],
  ['generated documents', 'node', 'scripts/generate-docs.ts'],
  ['lockfile', 'node', 'scripts/check-lockfile.ts'],
]

async function run([name, command, ...args]: (typeof checks)[number]): Promise<boolean> {
  const started = performance.now()
  // Programs written in Go (the compiler, the linter) take a third less time if they free memory less often.
  const env = { ...process.env, GOGC: '800', NODE_COMPILE_CACHE: 'node_modules/.cache/node-compile' }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
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
