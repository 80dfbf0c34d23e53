import { createParticipants, type Participants } from '../../chaos/conversations/participants.ts'
import { createReportRequests, type ReportRequests } from '../../chaos/conversations/report-requests.ts'
import type { ApiClient } from '../../chaos/framework/api-client.ts'
import { create } from '../../chaos/framework/fixtures.ts'
import type { Random } from '../../chaos/framework/random.ts'
import type { Waits } from '../../chaos/framework/waits.ts'
import { type Host, startHost } from './host.ts'

/** An organisation with projects, people who record in them, and a host who changes them. */
export interface Organisation {
  id: string
  client: ApiClient
  workspace: string
  projects: string[]
  participants: Participants
  reports: ReportRequests
  /** Sends requests until it is stopped. */
  startLoad(): Load
}

interface Load {
  host: Host
  stop(): Promise<void>
}

const PROJECTS = 2
/** A round of recordings; the next one follows until the load is stopped. */
const ROUND = { conversations: 4, chunks: 4, concurrency: 2, seconds: 8 }
const REPORT_EVERY_MS = 8_000

export async function createOrganisation(
  client: ApiClient,
  routerUrl: () => string | undefined,
  { waits, random, group }: { waits: Waits; random: Random; group: string },
): Promise<Organisation> {
  const name = 'Cells'
  const id = await create(client, '/api/v2/organisations', { name })
  const workspace = await create(client, `/api/v2/organisations/${id}/workspaces`, { name })
  const newProject = (title: string) =>
    create(client, `/api/v2/workspaces/${workspace}/projects`, { name: title })
  const projects = await Promise.all(Array.from({ length: PROJECTS }, (_, n) => newProject(`Project ${n}`)))
  const participants = createParticipants({
    ...ROUND,
    url: routerUrl,
    waits,
    projects,
    random: random.fork('participants'),
    group,
  })
  const reports = createReportRequests(client, projects, random.fork('reports'))
  return {
    id,
    client,
    workspace,
    projects,
    participants,
    reports,
    startLoad: () => {
      let isStopping = false
      const host = startHost(client, projects, newProject)
      const recording = (async () => {
        while (!isStopping) await participants.run()
      })()
      const reporting = setInterval(() => reports.request(), REPORT_EVERY_MS)
      return {
        host,
        stop: async () => {
          isStopping = true
          clearInterval(reporting)
          await Promise.all([host.stop(), waits.for('the participants', recording)])
          await reports.over()
        },
      }
    },
  }
}
