import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Placement {
  cell: string
  /** Requests get 503: the organisation is being moved. */
  isHeld: boolean
}

/** The cell of each organisation, in a file that outlives the router. */
export function openDirectory(path: string) {
  const places = new Map<string, Placement>(Object.entries(read(path)))
  return {
    find: (organisation: string): Placement | undefined => places.get(organisation),
    /** Durable when it returns. */
    set(organisation: string, place: Placement): void {
      places.set(organisation, place)
      writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(places)), { flush: true })
      renameSync(`${path}.new`, path)
    },
    countIn: (cell: string): number =>
      places.values().reduce((sum, place) => sum + (place.cell === cell ? 1 : 0), 0),
  }
}

function read(path: string): Record<string, Placement> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
