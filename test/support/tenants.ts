import { type Caller, newUser, type TestBackend } from './backend.ts'

/** An organisation with one workspace and one project, and their owner. */
export interface Tenant {
  owner: Caller
  organisation: string
  workspace: string
  project: string
}

export async function newTenant(backend: TestBackend, name = 'Tenant'): Promise<Tenant> {
  return newTenantOf(await backend.as(newUser()), { name })
}

/** `given`: fields of the project. */
export async function newTenantOf(owner: Caller, given: object = {}): Promise<Tenant> {
  const create = async (path: string, body: object) => (await owner.post(`/api/v2/${path}`, body)).body.id
  const body = { name: 'Tenant', ...given }
  const organisation = await create('organisations', { name: body.name })
  const workspace = await create(`organisations/${organisation}/workspaces`, { name: body.name })
  const project = await create(`workspaces/${workspace}/projects`, body)
  return { owner, organisation, workspace, project }
}

/** A new user with a role in an organisation or a workspace, which is given by its path. */
export async function newMember(
  backend: TestBackend,
  granter: Caller,
  scope: string,
  role: string,
): Promise<Caller> {
  const member = await backend.as(newUser())
  const { status } = await granter.post(`${scope}/members`, { user_id: member.userId, role })
  if (status !== 201) throw new Error(`The member was not added: ${status}`)
  return member
}
