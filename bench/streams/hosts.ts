import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Fixtures } from '../ingest/fixtures.ts'
import { requestJson } from '../ingest/phone.ts'

/** A user with their own workspace. */
export interface Host {
  authorization: string
  projects: string[]
}

/** Creates hosts with an equal share of the projects, on a tier that has event streams. */
export async function createHosts(
  fixtures: Fixtures,
  { count, projects }: { count: number; projects: number },
): Promise<Host[]> {
  const client = new pg.Client({ connectionString: fixtures.databaseUrl, options: '-c search_path=parley' })
  await client.connect()
  const hosts: Host[] = []
  try {
    for (let n = 0; n < count; n++) {
      const authorization = await fixtures.authorizationOf(randomUUID())
      const create = async (path: string) => {
        const headers = { authorization, 'content-type': 'application/json' }
        const body = JSON.stringify({ name: 'Bench' })
        return (
          (await requestJson(`${fixtures.api.url}/api/v2/${path}`, 'POST', headers, body)) as { id: string }
        ).id
      }
      const workspace = await create(`organisations/${await create('organisations')}/workspaces`)
      await client.query(`update workspaces set tier = 'guardian' where id = $1`, [workspace])
      const own: string[] = []
      const share = Math.floor(((n + 1) * projects) / count) - Math.floor((n * projects) / count)
      while (own.length < share) own.push(await create(`workspaces/${workspace}/projects`))
      hosts.push({ authorization, projects: own })
    }
  } finally {
    await client.end()
  }
  return hosts
}
