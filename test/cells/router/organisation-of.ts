import pg from 'pg'
import type { CellAddress } from '../mover/session.ts'
import { ORGANISATION_OF } from '../tables/moved-tables.ts'

/** A collection and an id in a path, such as `projects/0190…`. */
const ID = new RegExp(`/(${Object.keys(ORGANISATION_OF).join('|')})/([0-9a-f-]{36})(?=[/?]|$)`, 'i')

export interface Owner {
  organisation: string
  cell: string
}

/** Finds the organisation that a request concerns, by the first id in its path. */
export function createOwners(cells: readonly CellAddress[]) {
  const pools = cells.map(({ name, databaseUrl }) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, application_name: 'parley-router', max: 4 })
    pool.on('error', () => {})
    return { name, pool }
  })
  /** An id never changes its organisation here; staff can transfer a workspace, and a router then has to forget its ids. */
  const known = new Map<string, string>()

  async function ask(collection: string, id: string): Promise<Owner | null> {
    const query = ORGANISATION_OF[collection] as string
    const found = await Promise.all(
      pools.map(async ({ name, pool }) => {
        const { rows } = await pool.query<{ id: string }>(query, [id])
        return rows.map((row): Owner => ({ organisation: row.id, cell: name }))
      }),
    )
    return found.flat()[0] ?? null
  }

  return {
    /** Null: the path names no id, or one that no cell has. `cell` is null if the organisation was known. */
    async find(path: string): Promise<{ organisation: string; cell: string | null } | null> {
      const [, collection = '', id = ''] = ID.exec(path) ?? []
      if (id === '') return null
      const key = `${collection.toLowerCase()}/${id.toLowerCase()}`
      const organisation = known.get(key)
      if (organisation !== undefined) return { organisation, cell: null }
      const owner = await ask(collection.toLowerCase(), id)
      if (owner) known.set(key, owner.organisation)
      return owner
    },
    stop: () => Promise.all(pools.map(({ pool }) => pool.end())),
  }
}
