import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The state that later starts read. Stored in the data folder, readable by its owner only. */
export interface DemoState {
  /** False while the demo is being filled: the next start begins again. */
  complete: boolean
  /** The password of every account of the demo. */
  password: string
  receiverPort: number
  projects: Record<string, string>
  organisation: string
  workspace: string
  /** By the name of the endpoint. */
  webhooks: Record<string, { id: string; project: string; secret: string }>
  reports: Record<string, string>
  /** The conversations that were in progress at the last start. */
  live: { id: string; token: string }[]
}

const FILE = 'demo.json'

/** Null if there is no demo in the folder yet. A folder with anything else in it is refused. */
export async function readState(folder: string): Promise<DemoState | null> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => null)
  const state = text === null ? null : (JSON.parse(text) as DemoState)
  if (state?.complete) return state
  const names = await readdir(folder).catch(() => [])
  if (state === null && names.length > 0)
    throw new Error(`${folder} is not a folder of the demo. Set DATA_DIR to an empty or a new folder.`)
  await rm(folder, { recursive: true, force: true })
  return null
}

export async function writeState(folder: string, state: DemoState): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  await writeFile(join(folder, FILE), JSON.stringify(state, null, 2), { mode: 0o600 })
}
