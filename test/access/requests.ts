import { GUEST, type Ids, UNREACHABLE_URL } from './fixtures.ts'
import { ROUTES, type Route } from './statement.ts'

/** How each changing route is called so that it succeeds. `elsewhere` is an organisation to move something to. */
const BODIES: Record<string, (elsewhere: string) => unknown> = {
  'POST /api/v2/organisations': () => ({ name: 'New' }),
  'POST /api/v2/invitations/{id}/accept': () => undefined,
  'POST /api/v2/invitations/{id}/decline': () => undefined,
  'PATCH /api/v2/organisations/{oid}': () => ({ name: 'Renamed' }),
  'DELETE /api/v2/organisations/{oid}': () => undefined,
  'POST /api/v2/organisations/{oid}/members': () => ({ user_id: GUEST, role: 'member' }),
  'PATCH /api/v2/organisations/{oid}/members/{user_id}': () => ({ role: 'external' }),
  'DELETE /api/v2/organisations/{oid}/members/{user_id}': () => undefined,
  'POST /api/v2/organisations/{oid}/workspaces': () => ({ name: 'New' }),
  'PATCH /api/v2/workspaces/{wid}': () => ({ name: 'Renamed' }),
  'DELETE /api/v2/workspaces/{wid}': () => undefined,
  'POST /api/v2/workspaces/{wid}/members': () => ({ user_id: GUEST, role: 'member' }),
  'PATCH /api/v2/workspaces/{wid}/members/{user_id}': () => ({ role: 'external' }),
  'DELETE /api/v2/workspaces/{wid}/members/{user_id}': () => undefined,
  'POST /api/v2/workspaces/{wid}/projects': () => ({ name: 'New' }),
  'POST /api/v2/workspaces/{wid}/export': () => ({ audio: false }),
  'PATCH /api/v2/projects/{pid}': () => ({ name: 'Renamed' }),
  'DELETE /api/v2/projects/{pid}': () => undefined,
  'PATCH /api/v2/conversations/{cid}': () => ({ title: 'Renamed' }),
  'DELETE /api/v2/conversations/{cid}': () => undefined,
  'POST /api/v2/conversations/{cid}/retranscribe': () => undefined,
  'POST /api/v2/conversations/{cid}/summarize': () => undefined,
  'POST /api/v2/projects/{pid}/reports': () => ({ title: 'New' }),
  'PATCH /api/v2/reports/{rid}': () => ({ published: true }),
  'DELETE /api/v2/reports/{rid}': () => undefined,
  'PUT /api/v2/admin/workspaces/{wid}/tier': () => ({ tier: 'guardian', reason: 'Because' }),
  'POST /api/v2/admin/workspaces/{wid}/transfer': (elsewhere) => ({
    organisation_id: elsewhere,
    reason: 'Because',
  }),
  'POST /api/v2/admin/webhooks/{id}/disable': () => ({ reason: 'Because' }),
  'POST /api/projects/{pid}/webhooks': () => ({ url: UNREACHABLE_URL, events: ['report.generated'] }),
  'PATCH /api/projects/{pid}/webhooks/{id}': () => ({ name: 'Renamed' }),
  'DELETE /api/projects/{pid}/webhooks/{id}': () => undefined,
  'POST /api/projects/{pid}/webhooks/{id}/test': () => undefined,
  'POST /api/projects/{pid}/webhooks/{id}/rotate-secret': () => undefined,
  'POST /api/projects/{pid}/webhooks/{id}/deliveries/{did}/resend': () => undefined,
  'POST /api/projects/{pid}/webhooks/{id}/replay': () => ({ since: '2026-01-01T00:00:00Z', only: 'all' }),
  'DELETE /api/projects/{pid}/webhooks/{id}/replay/{replay_id}': () => undefined,
}

export const methodOf = ({ name }: Pick<Route, 'name'>): string => name.split(' ')[0] as string
const templateOf = ({ name }: Pick<Route, 'name'>): string => name.split(' ')[1] as string

export const isSafe = (route: Pick<Route, 'name'>): boolean => methodOf(route) === 'GET'

/** Raw: an id goes into the path as it is, so that tests can put anything there. */
export const pathOf = (route: Pick<Route, 'name'>, ids: Ids): string =>
  templateOf(route).replaceAll(ID_IN_PATH, (_, collection: string, key: string) => {
    const id = ids[idNameOf(collection, key)]
    return `${collection}/${id}`
  })

const ID_IN_PATH = /([\w-]+)\/\{(\w+)\}/g

/** `{id}` names more than one kind of record: the word before it says which. */
function idNameOf(collection: string, key: string): keyof Ids {
  if (key !== 'id') return key as keyof Ids
  if (collection === 'invitations') return 'invitation'
  if (collection === 'webhooks') return 'webhook'
  throw new Error(`requests.ts does not say whose id follows ${collection}`)
}

/** Which ids the path names, from the outermost in. */
export const idNamesOf = (route: Pick<Route, 'name'>): (keyof Ids)[] =>
  [...templateOf(route).matchAll(ID_IN_PATH)].map(([, collection, key]) =>
    idNameOf(collection as string, key as string),
  )

/** The id in the path that reach is about. */
export const targetKeyOf = (route: Route): keyof Ids | null => idNamesOf(route)[0] ?? null

export function validBody(route: Route, elsewhere: string): unknown {
  if (isSafe(route)) return undefined
  const body = BODIES[route.name]
  if (!body) throw new Error(`requests.ts does not say how to call ${route.name}`)
  return body(elsewhere)
}

/** Every changing route refuses it, but only after access was granted: it shows the decision and changes nothing. */
export const PROBE = { surprise: true }

export const routesOf = (...kinds: Route['asks']['of'][]): Route[] =>
  ROUTES.filter((route) => kinds.includes(route.asks.of))
