import { join, resolve } from 'node:path'
import { countUnprocessed } from './conversations.ts'
import { CONVERSATIONS } from './fill.ts'
import { PEOPLE } from './people.ts'
import { type Demo, startDemo } from './start-demo.ts'
import { openTerminal } from './terminal.ts'

/**
 * `npm run demo`: starts everything in a separate data folder, fills it on the first start, and prints where to sign in. Ctrl-C
 * stops everything. DATA_DIR sets the folder; the other settings are those of the service.
 */
const folder = resolve(process.env['DATA_DIR'] ?? join(import.meta.dirname, '../../demo-data'))
const terminal = openTerminal(process.stdout)
const row = (name: string, value: string) => terminal.line(`  ${name.padEnd(16)} ${value}`)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (!stopping.signal.aborted) terminal.line('\n  Stopping …')
    stopping.abort()
  })

const began = performance.now()
terminal.line('\nParley demo\n')
let demo: Demo | undefined
try {
  demo = await startDemo({ folder, terminal, signal: stopping.signal })
  await printAddresses(demo)
  demo.onDelivery((line) => terminal.line(`  ${new Date().toLocaleTimeString()}  ${line}`))
  void demo.untilTranscribed().then(
    () => terminal.line('  All recordings are transcribed.'),
    () => {},
  )
  await demo.ended
  stopping.signal.throwIfAborted()
  throw new Error(`The service ended. See ${join(folder, 'service.log')}.`)
} catch (error) {
  await demo?.stop()
  // The steps that were running when it was stopped have failed.
  if (!stopping.signal.aborted) console.error(`\n${(error as Error).message}`)
  process.exit(stopping.signal.aborted ? 0 : 1)
}

async function printAddresses({ url, identityUrl, receiverUrl, host, staff, api, projects, isKnown }: Demo) {
  const unprocessed = await countUnprocessed(api, projects)
  const seconds = Math.round((performance.now() - began) / 1000)
  const found = isKnown ? 'with the data of the last start' : `with ${CONVERSATIONS} conversations`
  terminal.line(`\nThe demo is ready after ${seconds} s, ${found}.\n`)
  row('Dashboard', url)
  row('Sign in as', `${host.email} (owner)`)
  for (const { email, role } of PEOPLE.slice(1)) row('', `${email} (${role})`)
  row('', `${staff.email} (staff of the service)`)
  row('Password', `${host.password} (of all of them)`)
  terminal.line()
  row('Recording page', `${url}/p/${projects['harbour']}`)
  row('Identity store', identityUrl)
  row('Receiver', `${receiverUrl} (deliveries are listed below)`)
  row('Data', `${folder} (delete it to begin again)`)
  terminal.line()
  if (unprocessed > 0)
    terminal.line(
      `  ${unprocessed} recordings are still being transcribed; the pages show them as they finish.`,
    )
  terminal.line('  Press Ctrl-C to stop.\n')
}
