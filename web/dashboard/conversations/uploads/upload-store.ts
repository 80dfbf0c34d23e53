import { useSyncExternalStore } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { forget, type Interrupted, interruptedUploads, remember, rememberedAddress } from './remembered.ts'
import { transfer } from './tus.ts'

export interface Upload {
  /** Names the file in this project. */
  key: string
  projectId: string
  name: string
  size: number
  sent: number
  state: 'queued' | 'sending' | 'waiting' | 'done' | 'failed'
  error: Error | null
  conversationId: string | null
}

interface Entry {
  upload: Upload
  file: File
  abort: AbortController
}

/** Files that are sent at the same time: more would only share the same bandwidth. */
const CONCURRENCY = 2

/** Kept outside of React, so that uploads continue while the host looks at another page of the dashboard. */
const entries = new Map<string, Entry>()
const listeners = new Set<() => void>()
let shown: readonly Upload[] = []

function publish(): void {
  shown = [...entries.values()].map(({ upload }) => upload)
  for (const listener of listeners) listener()
}

function change(key: string, changed: Partial<Upload>): void {
  const entry = entries.get(key)
  if (!entry) return
  entry.upload = { ...entry.upload, ...changed }
  publish()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useUploads(projectId: string): Upload[] {
  const all = useSyncExternalStore(subscribe, () => shown)
  return all.filter((upload) => upload.projectId === projectId)
}

/** Uploads of an earlier visit that did not end, for which the file has to be chosen again. */
export const useInterrupted = (projectId: string): Interrupted[] => {
  useSyncExternalStore(subscribe, () => shown)
  return interruptedUploads(projectId).filter(({ key }) => !entries.has(key))
}

export function addFiles(projectId: string, files: Iterable<File>): void {
  for (const file of files) {
    const key = `${projectId} ${file.name} ${file.size} ${file.lastModified}`
    const known = entries.get(key)
    // Chosen a second time: an upload that failed starts again.
    if (known && known.upload.state !== 'failed') continue
    const { name, size } = file
    const upload: Upload = {
      key,
      projectId,
      name,
      size,
      sent: 0,
      state: 'queued',
      error: null,
      conversationId: null,
    }
    entries.set(key, { upload, file, abort: new AbortController() })
  }
  publish()
  startNext()
}

export function retryUpload(key: string): void {
  const entry = entries.get(key)
  if (entry) addFiles(entry.upload.projectId, [entry.file])
}

/** Also deletes what has arrived. */
export function cancelUpload(key: string): void {
  const entry = entries.get(key)
  const address = rememberedAddress(key)
  forget(key)
  entries.delete(key)
  entry?.abort.abort()
  publish()
  startNext()
  if (address !== null && entry?.upload.state !== 'done')
    void fetch(address, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } }).catch(() => {})
}

export function clearFinished(projectId: string): void {
  for (const [key, { upload }] of entries)
    if (upload.projectId === projectId && upload.state === 'done') entries.delete(key)
  publish()
}

const isActive = ({ upload: { state } }: Entry): boolean => state === 'sending' || state === 'waiting'

function startNext(): void {
  const all = [...entries.values()]
  const next = all.find(({ upload }) => upload.state === 'queued')
  if (!next || all.filter(isActive).length >= CONCURRENCY) return
  void run(next)
  startNext()
}

async function run({ upload: { key, projectId, name, size }, file, abort }: Entry): Promise<void> {
  change(key, { state: 'sending' })
  try {
    const conversationId = await transfer({
      file,
      collection: `/api/v2/projects/${projectId}/uploads`,
      metadata: { title: titleOf(name), filename: name },
      address: rememberedAddress(key),
      onAddress: (address) => remember({ key, projectId, name, size, address }),
      onProgress: (sent) => change(key, { sent, state: 'sending' }),
      onWaiting: (isWaiting) => change(key, { state: isWaiting ? 'waiting' : 'sending' }),
      signal: abort.signal,
    })
    forget(key)
    change(key, { state: 'done', sent: size, conversationId })
    void queryClient.invalidateQueries({ queryKey: ['projects', projectId, 'conversations'] })
  } catch (error) {
    if (abort.signal.aborted) return
    forget(key)
    change(key, { state: 'failed', error: error as Error })
  } finally {
    startNext()
  }
}

/** Without the extension, and with spaces as people write them. */
const titleOf = (name: string): string =>
  (
    name
      .replace(/\.[^.]{1,5}$/, '')
      .replaceAll('_', ' ')
      .trim() || name
  ).slice(0, 300)

/** Asks before the page is left while files are sent. */
addEventListener('beforeunload', (event) => {
  if ([...entries.values()].some((entry) => isActive(entry) || entry.upload.state === 'queued'))
    event.preventDefault()
})
