import { type Account, type Api, type Fields, signIn } from './api.ts'
import { PROJECTS } from './projects.ts'

export const STAFF = 'admin@example.com'

/** Everyone with an account, besides the staff of the service. */
export const PEOPLE = [
  { email: 'mara@havenbrug.example', first_name: 'Mara', last_name: 'Jansen', role: 'owner' },
  { email: 'sam@havenbrug.example', first_name: 'Sam', last_name: 'Okoye', role: 'member' },
  { email: 'noor@havenbrug.example', first_name: 'Noor', last_name: 'de Boer', role: 'observer' },
  { email: 'bo@havenbrug.example', first_name: 'Bo', last_name: 'Lindgren', role: 'billing' },
] as const

export const HOST = PEOPLE[0].email

export interface Service {
  url: string
  identityUrl: string
  password: string
}

export interface Tenants {
  host: Api
  organisation: string
  workspace: string
  projects: Record<string, string>
}

export const accountOf = (email: string, { password }: Service): Account => ({ email, password })

/** Two organisations: the city, on the Changemaker tier with three projects, and a neighbour that invites its host. */
export async function createTenants(service: Service): Promise<Tenants> {
  const { url, identityUrl } = service
  const staff = await signIn(url, identityUrl, accountOf(STAFF, service))
  const users = new Map<string, string>()
  for (const { role: _role, ...person } of PEOPLE) {
    const user = { ...person, password: service.password }
    const { data } = await staff.post<{ data: Fields }>(`${identityUrl}/users`, user)
    users.set(person.email, data.id)
  }
  const host = await signIn(url, identityUrl, accountOf(HOST, service))
  const create = async (api: Api, path: string, body: object) => (await api.post(`/api/v2/${path}`, body)).id
  const organisation = await create(host, 'organisations', { name: 'City of Havenbrug' })
  const workspace = await create(host, `organisations/${organisation}/workspaces`, {
    name: 'Listening projects',
  })
  await create(host, `organisations/${organisation}/workspaces`, { name: 'Archive' })
  await staff.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, {
    tier: 'changemaker',
    reason: 'A year of listening projects, by contract',
  })
  for (const { email, role } of PEOPLE.slice(1)) {
    const body = { user_id: users.get(email), role }
    await host.post(`/api/v2/organisations/${organisation}/members`, body)
    await host.post(`/api/v2/workspaces/${workspace}/members`, body)
  }
  await host.post(`/api/v2/workspaces/${workspace}/members`, {
    email: 'yusuf@stclara.example',
    role: 'external',
  })
  const projects: Record<string, string> = {}
  for (const { key, fields } of PROJECTS)
    projects[key] = await create(host, `workspaces/${workspace}/projects`, fields)

  const neighbour = await create(staff, 'organisations', { name: 'Delta Water Board' })
  await create(staff, `organisations/${neighbour}/workspaces`, { name: 'Dike watch' })
  await staff.post(`/api/v2/organisations/${neighbour}/members`, { email: HOST, role: 'member' })
  return { host, organisation, workspace, projects }
}
