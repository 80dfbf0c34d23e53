import { type Behaviour, json, scriptedServer } from './scripted-server.ts'

const ME = '/users/me'
const GLOBALS = '/policies/me/globals'

/** An identity store whose behaviour the test sets for each token. It rejects tokens without a behaviour. */
export interface FakeStore {
  url: string
  /** One behaviour for all requests with the token, or one for each path. */
  set(token: string, behaviour: Behaviour | { me: Behaviour; globals: Behaviour }): void
  /** The number of requests for the user of this token. */
  requestCount(token: string): number
  stop(): Promise<void>
}

export async function startFakeStore(): Promise<FakeStore> {
  const behaviours = new Map<string, { me: Behaviour; globals: Behaviour }>()
  const counts = new Map<string, number>()
  const server = await scriptedServer((response, request) => {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const { pathname } = new URL(request.url ?? '', 'http://store')
    const behaviour = behaviours.get(token)
    if (pathname === ME) counts.set(token, (counts.get(token) ?? 0) + 1)
    if (pathname === ME) return (behaviour?.me ?? refused)(response, request)
    if (pathname === GLOBALS) return (behaviour?.globals ?? refused)(response, request)
    return json({ data: [] })(response, request)
  })
  return {
    url: server.url,
    set: (token, behaviour) =>
      void behaviours.set(
        token,
        typeof behaviour === 'function' ? { me: behaviour, globals: behaviour } : behaviour,
      ),
    requestCount: (token) => counts.get(token) ?? 0,
    stop: server.stop,
  }
}

/** The response of Directus to an invalid token. */
export const refused: Behaviour = json(
  { errors: [{ message: 'Invalid user credentials.', extensions: { code: 'INVALID_CREDENTIALS' } }] },
  401,
)

/** The responses of Directus to a valid token. */
export const knows = (userId: string, staff = false): { me: Behaviour; globals: Behaviour } => ({
  me: json({ data: { id: userId } }),
  globals: json({ data: { app_access: true, admin_access: staff, enforce_tfa: false } }),
})
