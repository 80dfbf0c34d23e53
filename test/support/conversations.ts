import { type Caller, newUser, type Reply, request, type TestBackend } from './backend.ts'
import { newTenantOf } from './tenants.ts'
import { until } from './webhooks.ts'

/** A project with its public link, and the host who owns it. */
export interface Portal {
  backend: TestBackend
  owner: Caller
  organisationId: string
  workspaceId: string
  projectId: string
  /** The URL of the project's participant API. */
  url: string
}

export const newPortal = async (backend: TestBackend, project: object = {}): Promise<Portal> =>
  newPortalOf(backend, await backend.as(newUser()), project)

export async function newPortalOf(
  backend: TestBackend,
  owner: Caller,
  project: object = {},
): Promise<Portal> {
  const tenant = await newTenantOf(owner, { name: 'Park', ...project })
  return {
    backend,
    owner,
    organisationId: tenant.organisation,
    workspaceId: tenant.workspace,
    projectId: tenant.project,
    url: `${backend.url}/api/participant/projects/${tenant.project}`,
  }
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

/** Sends requests of the phone that started a conversation. Bytes are sent as audio. */
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

/** Where conversations are started. */
interface Link {
  backend: { url: string }
  url: string
}

export async function newConversation(portal: Link, start: object = {}): Promise<TestConversation> {
  const { status, body } = await request(`${portal.url}/conversations`, 'POST', start)
  if (status !== 201) throw new Error(`The conversation did not start: ${status}`)
  return { id: body.id, token: body.token, send: participantOf(portal.backend.url, body.id, body.token) }
}

/** Waits until the conversation has the status, and returns its progress. */
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
