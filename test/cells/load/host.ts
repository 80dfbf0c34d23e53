import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../../chaos/framework/api-client.ts'
import type { Cluster } from '../../chaos/framework/cluster.ts'

/** A host who changes and creates projects, and what the service confirmed. */
export interface Host {
  patches: number
  created: string[]
  wrongResponses: string[]
  stop(): Promise<void>
  /** The confirmed changes that are not stored exactly once. */
  findLost(cells: Pick<Cluster, 'query'>): Promise<string[]>
}

const EVERY_MS = 250
const PATCHES_PER_PROJECT = 20

export function startHost(
  client: ApiClient,
  projects: readonly string[],
  newProject: (title: string) => Promise<string>,
): Host {
  const titles = new Map<string, string>()
  let isStopping = false
  const host: Host = {
    patches: 0,
    created: [],
    wrongResponses: [],
    stop: async () => {
      isStopping = true
      await running
    },
    findLost: async (cells) => {
      const all = [...projects, ...host.created]
      const rows = await cells.query<{ id: string; title: string | null; entries: number }>(
        `select p.id, p.title,
           (select count(*)::integer from audit_log where target_id = p.id::text and action = 'project.updated') as entries
         from projects p where p.id = any($1)`,
        [all],
      )
      const entries = rows.reduce((sum, row) => sum + row.entries, 0)
      return [
        ...all
          .filter((id) => rows.filter((row) => row.id === id).length !== 1)
          .map((id) => `project ${id} is not stored once`),
        ...rows
          .filter(({ id, title }) => titles.has(id) && titles.get(id) !== title)
          .map(({ id, title }) => `project ${id}: ${title} instead of ${titles.get(id)}`),
        // A change that is repeated because its response was lost changes nothing.
        ...(entries !== host.patches ? [`${entries} audit entries of ${host.patches} changes`] : []),
      ]
    },
  }

  async function patch(project: string): Promise<void> {
    const title = `Title ${host.patches}`
    const { status, body } = await client.retry('PATCH', `/api/v2/projects/${project}`, { title })
    if (status !== 200) host.wrongResponses.push(`PATCH project: ${status} ${JSON.stringify(body)}`)
    titles.set(project, title)
    host.patches++
  }

  const running = (async () => {
    while (!isStopping) {
      await patch(projects[host.patches % projects.length] as string)
      if (host.patches % PATCHES_PER_PROJECT === 0) host.created.push(await newProject('Created'))
      await pause(EVERY_MS)
    }
  })()
  return host
}
