import { access } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { folderOf } from '../../../server/conversations/chunks/file-keys.ts'
import { projectFolder } from '../../../server/tenancy/index.ts'
import type { Cell } from '../cell.ts'
import { MOVED_TABLES, type MovedTable } from '../tables/moved-tables.ts'
import { type Reference, readReferences } from '../tables/schema.ts'
import { UNBOUND_REFERENCES } from '../tables/unbound-columns.ts'

/** The organisations that must be in a cell. */
export interface Expected {
  cell: Cell
  organisations: string[]
}

/** Rows that are in the wrong cell, belong to no organisation of their cell, or refer to a row of another organisation. */
export async function findMisplaced(all: readonly Expected[]): Promise<string[]> {
  const found = await Promise.all(
    all.map(async ({ cell, organisations }) => {
      const others = all.flatMap((other) => (other.cell === cell ? [] : other.organisations))
      return [
        ...(await Promise.all(others.map((id) => findLeftBehind(cell, id)))).flat(),
        ...(await withClient(cell, (client) => findUnowned(client, organisations))).map(
          (one) => `${cell.name}: ${one}`,
        ),
        ...(await withClient(cell, (client) => findForeignReferences(client, organisations))).map(
          (one) => `${cell.name}: ${one}`,
        ),
      ]
    }),
  )
  return found.flat()
}

async function withClient<T>(cell: Cell, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: cell.fixtures.cluster.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const count = async (client: pg.ClientBase, query: string, values: unknown[] = []): Promise<number> =>
  Number((await client.query<{ count: string }>(query, values)).rows[0]?.count)

/** The rows that a cell has of an organisation which lives in another cell. */
export const findLeftBehind = (cell: Cell, organisation: string): Promise<string[]> =>
  withClient(cell, async (client) => {
    const found: string[] = []
    for (const { name, belongs } of MOVED_TABLES) {
      const rows = await count(client, `select count(*) from ${name} t where ${belongs}`, [organisation])
      if (rows > 0) found.push(`${rows} rows of ${name} in ${cell.name}`)
    }
    return found
  })

/** The folders of these conversations and projects that a cell has. */
export async function findFolders(
  { name, filesFolder }: Cell,
  conversations: readonly string[],
  projects: readonly string[],
): Promise<string[]> {
  const paths = [...conversations.map(folderOf), ...projects.map(projectFolder)]
  const exists = (path: string) =>
    access(join(filesFolder, 'files', path)).then(
      () => true,
      () => false,
    )
  const found = await Promise.all(
    paths.map(async (path) => ((await exists(path)) ? [`${path} in ${name}`] : [])),
  )
  return found.flat()
}

/** Rows of users and of the whole service do not belong to an organisation. */
const WITHOUT_ORGANISATION: Record<string, string> = {
  'parley.idempotency_keys': `t.user_id not like '% %'`,
  'parley.audit_log': 't.organisation_id is null',
}

/** Tables with rows of no organisation, or of two: the rows of all organisations together must be all rows of the table. */
export async function findUnowned(
  client: pg.ClientBase,
  organisations: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const { name, belongs } of MOVED_TABLES) {
    const exempt = WITHOUT_ORGANISATION[name] ?? 'false'
    const all = await count(client, `select count(*) from ${name} t where not (${exempt})`)
    let owned = 0
    for (const id of organisations)
      owned += await count(client, `select count(*) from ${name} t where ${belongs}`, [id])
    if (owned !== all) found.push(`${name} has ${all} rows, and the organisations have ${owned}`)
  }
  return found
}

/** Rows that refer to a row of another organisation. */
export async function findForeignReferences(
  client: pg.ClientBase,
  organisations: readonly string[],
): Promise<string[]> {
  const tables = new Map(MOVED_TABLES.map((table) => [table.name, table]))
  const found: string[] = []
  for (const reference of [...(await readReferences(client)), ...UNBOUND_REFERENCES]) {
    const [from, to] = [tables.get(reference.from), tables.get(reference.to)]
    if (!from || !to) continue
    for (const id of organisations) {
      const rows = await count(client, foreignRows(reference, from, to), [id])
      if (rows > 0) found.push(`${rows} rows of ${from.name} refer to ${to.name} of another organisation`)
    }
  }
  return found
}

const foreignRows = ({ column, toColumn }: Reference, from: MovedTable, to: MovedTable): string =>
  `select count(*) from ${from.name} t where ${from.belongs}
   and t."${column}" in (select t."${toColumn}" from ${to.name} t where (${to.belongs}) is not true)`
