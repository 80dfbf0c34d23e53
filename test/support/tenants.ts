import { type Caller, newUser, type TestBackend } from './backend.ts'

/** An organisation with one workspace and one project, and their owner. */
export interface Tenant {
  owner: Caller
  organisation: string
  workspace: string
  project: string
}

export async function newTenant(backend: TestBackend, name = 'Tenant'): Promise<Tenant> {
  const owner = await backend.as(newUser())
  const organisation = (await owner.post('/api/v2/organisations', { name })).body.id
  const workspace = (await owner.post(`/api/v2/organisations/${organisation}/workspaces`, { name })).body.id
  const project = (await owner.post(`/api/v2/workspaces/${workspace}/projects`, { name })).body.id
  return { owner, organisation, workspace, project }
}

/** A new user who holds a role in one circle. */
export async function newMember(
  backend: TestBackend,
  granter: Caller,
  circle: string,
  role: string,
): Promise<Caller> {
  const member = await backend.as(newUser())
  const { status } = await granter.post(`${circle}/members`, { user_id: member.userId, role })
  if (status !== 201) throw new Error(`a member could not be added: ${status}`)
  return member
}
