import { conversations, prepare as prepareConversations } from '../chaos/conversations/scenario.ts'
import type { Context, PreparedRun, Row, Scenario, Size } from '../chaos/framework/chaos-run.ts'
import type { Fixtures, Topology } from '../chaos/framework/fixtures.ts'
import { webhooks } from '../chaos/webhooks/scenario.ts'
import { startBalancer } from './balancer.ts'
import { openBucket } from './bucket.ts'
import { startEventStreams } from './event-streams.ts'
import { clusterFaults } from './faults.ts'

/** With the dispatcher that is only disconnected, the webhooks scenario has three, too. */
const DISPATCHERS = 2

export const CLUSTER: Topology = {
  apis: 3,
  workers: 3,
  balance: async (fixtures: Fixtures, addresses) => {
    const balancer = await startBalancer(addresses)
    fixtures.onStop(() => balancer.stop())
    return balancer.url
  },
}

export const clusteredWebhooks: Scenario<Parameters<typeof webhooks.prepare>[0]['size']> = {
  full: { ...webhooks.full, dispatchers: DISPATCHERS },
  short: { ...webhooks.short, dispatchers: DISPATCHERS, faults: 24, seconds: 30 },
  topology: CLUSTER,
  more: clusterFaults,
  prepare: (context) => withStreams(context, webhooks.prepare),
}

export const clusteredConversations: Scenario<Parameters<typeof conversations.prepare>[0]['size']> = {
  full: conversations.full,
  short: { ...conversations.short, faults: 26, seconds: 40, conversations: 40, within: 900 },
  topology: CLUSTER,
  more: clusterFaults,
  prepare: (context) => withStreams(context, (inner) => prepareConversations(inner, openBucket)),
}

/** Event streams of every project, which must miss nothing. */
async function withStreams<S extends Size>(
  context: Context<S>,
  prepare: (context: Context<S>) => Promise<PreparedRun>,
): Promise<PreparedRun> {
  const since = new Date()
  const run = await prepare(context)
  const { fixtures, random } = context
  const projects = await fixtures.cluster.query<{ id: string }>('select id from projects')
  const streams = startEventStreams(
    fixtures,
    // The user who created the projects.
    fixtures.createClient(random.fork('user').uuid()),
    projects.map(({ id }) => id),
    since,
  )
  return {
    ...run,
    quiet: async () => {
      await run.quiet()
      await fixtures.waits.for('the event streams', streams.catchUp())
    },
    check: async () => {
      const { rows, violations } = await run.check()
      const { received, reconnections, violations: inStreams } = streams.check()
      const row: Row = ['events in streams, reconnections', `${received}, ${reconnections}`]
      return { rows: [...rows, row], violations: { ...violations, ...inStreams } }
    },
  }
}
