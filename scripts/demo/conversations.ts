import { setTimeout as pause } from 'node:timers/promises'
import { type Api, apiAt } from './api.ts'
import { PROJECTS, type ProjectKey } from './projects.ts'
import { LIVE, type Recording } from './recordings.ts'
import type { Story } from './stories/story.ts'

const POLL_MS = 150

/** With its token, a conversation can be continued and withdrawn. */
export interface LiveTable {
  id: string
  token: string
}

interface Participant extends LiveTable {
  api: Api
}

const participantApi = (url: string, { id, token }: LiveTable): Api =>
  apiAt(`${url}/api/participant/conversations/${id}`, { 'x-participant-token': token })

interface Start {
  participant_name?: string | null
  language?: string
  tags?: string[]
}

/** As the recording page does, without an account. */
async function startConversation(url: string, project: string, start: Start): Promise<Participant> {
  const path = `/api/participant/projects/${project}/conversations`
  const { id, token } = await apiAt(url).post<LiveTable>(path, {
    ...start,
    consent: true,
  })
  return { id, token, api: participantApi(url, { id, token }) }
}

export async function sendStory(
  url: string,
  project: string,
  { language, name, tags, text }: Story,
): Promise<string> {
  const { id, api } = await startConversation(url, project, { participant_name: name, language, tags })
  await api.post('/text', { content: text })
  await api.post('/finish')
  return id
}

/** A file of the host goes through a resumable upload, the recording of a participant in chunks. */
export async function sendRecording(host: Api, project: string, recording: Recording): Promise<void> {
  const { language, name, title, tags, chunks } = recording
  if (title !== undefined) {
    const [sound] = Object.values(chunks)
    return uploadFile(host, project, await (sound as NonNullable<typeof sound>).read(), {
      title,
      language,
      tags: JSON.stringify(tags),
    })
  }
  const start = { participant_name: name ?? null, language, tags }
  const { api } = await startConversation(host.url, project, start)
  for (const [seq, { type, read }] of Object.entries(chunks))
    await api.send('PUT', `/chunks/${seq}`, await read(), { 'content-type': type })
  await api.post('/finish')
}

async function uploadFile(host: Api, project: string, bytes: Buffer, metadata: Record<string, string>) {
  const encode = ([key, value]: [string, string]) => `${key} ${Buffer.from(value).toString('base64')}`
  const tus = { 'tus-resumable': '1.0.0' }
  const { location } = await host.send<{ location: string }>(
    'POST',
    `/api/v2/projects/${project}/uploads`,
    undefined,
    {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': Object.entries(metadata).map(encode).join(','),
    },
  )
  await host.send('PATCH', location, bytes, {
    ...tus,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  })
}

/** People who are still writing while the demo runs. */
export async function startLive(url: string, project: string): Promise<LiveTable[]> {
  const tables: LiveTable[] = []
  for (const { name, text } of LIVE) {
    const { id, token, api } = await startConversation(url, project, {
      participant_name: name,
      language: 'en',
    })
    await api.post('/text', { content: text })
    tables.push({ id, token })
  }
  return tables
}

/** Says that they are still there; after 15 minutes without it the service would close their conversations. */
export const sendHeartbeats = (url: string, tables: LiveTable[]) =>
  Promise.allSettled(tables.map((table) => participantApi(url, table).post('/heartbeat')))

/** Those of the last start have been closed, or will be: they withdraw, so that there are always as many. */
export const withdrawLive = (url: string, tables: LiveTable[]) =>
  Promise.allSettled(tables.map((table) => participantApi(url, table).send('DELETE', '')))

interface Listed {
  id: string
  status: 'recording' | 'transcribing' | 'summarizing' | 'done' | 'failed'
}

async function listConversations(host: Api, projects: Record<string, string>): Promise<Listed[]> {
  const lists = await Promise.all(
    PROJECTS.map(({ key }) =>
      host.get<{ data: Listed[] }>(
        `/api/v2/projects/${projects[key satisfies ProjectKey]}/conversations?limit=200`,
      ),
    ),
  )
  return lists.flatMap(({ data }) => data)
}

const isProcessed = ({ status }: Listed): boolean => status === 'done' || status === 'failed'

/** How many are still being transcribed or summarised. */
export async function countUnprocessed(host: Api, projects: Record<string, string>): Promise<number> {
  const all = await listConversations(host, projects)
  return all.filter((one) => !isProcessed(one) && one.status !== 'recording').length
}

export async function untilProcessed(host: Api, projects: Record<string, string>): Promise<void> {
  while ((await countUnprocessed(host, projects)) > 0) await pause(POLL_MS)
}

export async function untilReady(host: Api, report: string): Promise<void> {
  for (;;) {
    const { status, failure } = await host.get(`/api/v2/reports/${report}`)
    if (status === 'ready') return
    if (status === 'failed') throw new Error(`A report failed: ${String(failure)}`)
    await pause(POLL_MS)
  }
}
