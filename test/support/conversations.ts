import { type Caller, newUser, type Reply, request, type TestBackend } from './backend.ts'
import { until } from './webhooks.ts'

/** A project with its public link, and the host who owns it. */
export interface Portal {
  backend: TestBackend
  owner: Caller
  organisationId: string
  workspaceId: string
  projectId: string
  /** Of the project's participant API. */
  url: string
}

export async function newPortal(backend: TestBackend, project: object = {}): Promise<Portal> {
  const owner = await backend.as(newUser())
  const organisation = await owner.post('/api/v2/organisations', { name: 'Listeners' })
  const workspace = await owner.post(`/api/v2/organisations/${organisation.body.id}/workspaces`, {
    name: 'City',
  })
  const made = await owner.post(`/api/v2/workspaces/${workspace.body.id}/projects`, {
    name: 'Park',
    ...project,
  })
  return {
    backend,
    owner,
    organisationId: organisation.body.id,
    workspaceId: workspace.body.id,
    projectId: made.body.id,
    url: `${backend.url}/api/participant/projects/${made.body.id}`,
  }
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

/** Speaks for the phone that started a conversation. Bytes go out as audio. */
export const participantOf =
  (backendUrl: string, id: string, token: string): Send =>
  (method, path, body, headers = {}) =>
    request(`${backendUrl}/api/participant/conversations/${id}${path}`, method, body, {
      'x-participant-token': token,
      ...(body instanceof Uint8Array ? { 'content-type': 'audio/wav' } : {}),
      ...headers,
    })

export interface TestConversation {
  id: string
  token: string
  send: Send
}

export async function newConversation(portal: Portal, start: object = {}): Promise<TestConversation> {
  const { status, body } = await request(`${portal.url}/conversations`, 'POST', start)
  if (status !== 201) throw new Error(`the conversation did not start: ${status}`)
  return { id: body.id, token: body.token, send: participantOf(portal.backend.url, body.id, body.token) }
}

/** Waits until the conversation is as it should be, and answers with its progress. */
export async function untilStatus(
  portal: Portal,
  id: string,
  token: string,
  status: string,
  also: (progress: Reply['body']) => boolean = () => true,
): Promise<Reply['body']> {
  const send = participantOf(portal.backend.url, id, token)
  const reply = await until(
    () => send('GET', ''),
    ({ body }) => body.status === status && also(body),
  )
  return reply.body
}
