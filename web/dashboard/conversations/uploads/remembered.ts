/** An upload that began in this browser and has not ended. The browser keeps its address, but not the file. */
export interface Interrupted {
  key: string
  projectId: string
  name: string
  size: number
  address: string
}

const STORAGE_KEY = 'parley.uploads'
/** The server deletes what arrived after a day without a byte. */
const MAX_AGE_MS = 24 * 3_600_000

type Stored = Interrupted & { at: number }

/** Storage can be full or forbidden: then an upload does not survive a reload, and nothing else is lost. */
function read(): Stored[] {
  try {
    const all = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]') as Stored[]
    return all.filter(({ at }) => Date.now() - at < MAX_AGE_MS)
  } catch {
    return []
  }
}

function write(all: Stored[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(all))
  } catch {}
}

export const remember = (upload: Interrupted): void =>
  write([...read().filter(({ key }) => key !== upload.key), { ...upload, at: Date.now() }])

export const forget = (forgotten: string): void => write(read().filter(({ key }) => key !== forgotten))

export const rememberedAddress = (wanted: string): string | null =>
  read().find(({ key }) => key === wanted)?.address ?? null

export const interruptedUploads = (projectId: string): Interrupted[] =>
  read().filter((upload) => upload.projectId === projectId)
