import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const RUN = join(import.meta.dirname, 'testing/embedded-run.ts')
/** A network namespace without interfaces, also for accounts that are not root. */
const WITHOUT_NETWORK = ['--map-root-user', '--net']

const canUnshare = spawnSync('unshare', [...WITHOUT_NETWORK, 'true']).status === 0
const skip = canUnshare ? false : 'this machine does not allow network namespaces'

async function run(...args: string[]) {
  const { stdout } = await promisify(execFile)('unshare', [
    ...WITHOUT_NETWORK,
    process.execPath,
    RUN,
    ...args,
  ])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

test('the embedded engines transcribe, summarise and report without an attempt to use the network', {
  skip,
}, async () => {
  const { text, points, sections, attempts } = await run()
  assert.match(text, /\w+ \w+/)
  assert.ok(points > 0 && sections > 0)
  assert.equal(attempts, 0)
})

test('an attempt to use the network would be noticed', { skip }, async () => {
  assert.ok((await run('connect')).attempts > 0)
})
