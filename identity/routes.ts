import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { createAddressLimit } from '../platform/limits/address-limit.ts'
import { authenticate, rejectBadToken } from './auth/authenticate.ts'
import { clearGivenCookies, setGrantCookie } from './auth/cookies.ts'
import { currentToken } from './auth/current-token.ts'
import type { Grant } from './auth/grant.ts'
import { login, loginSchema } from './auth/login.ts'
import { logout } from './auth/logout.ts'
import { refresh } from './auth/refresh.ts'
import { rejectCrossOrigin } from './auth/reject-cross-origin.ts'
import { requireAdmin } from './caller.ts'
import type { Identity } from './context.ts'
import { requestsExceeded } from './errors.ts'
import { parseBody, type Query } from './parse.ts'
import { listRoles } from './roles.ts'
import { disableMyTfa, disableTfaOf } from './tfa/disable-tfa.ts'
import { enableTfa } from './tfa/enable-tfa.ts'
import { generateTfa } from './tfa/generate-tfa.ts'
import { createUser } from './users/create-user.ts'
import { deleteUser } from './users/delete-user.ts'
import { listUsers } from './users/list-users.ts'
import { readGlobals } from './users/read-globals.ts'
import { readMe, readUser } from './users/read-user.ts'
import { updateMe } from './users/update-me.ts'
import { updateUser } from './users/update-user.ts'

const LOGINS_PER_MINUTE = 60

const queryOf = (request: FastifyRequest) => request.query as Query
const idOf = (request: FastifyRequest) => (request.params as { id: string }).id
const data = async <T>(value: Promise<T>) => ({ data: await value })
async function noContent(reply: FastifyReply, done: Promise<void>) {
  await done
  return reply.status(204).send()
}

export function serverRoutes(app: FastifyInstance, { db }: Identity): void {
  app.get('/server/ping', (_request, reply) => reply.type('text/plain').send('pong'))
  app.get('/server/health', async (_request, reply) => {
    const alive = await sql`select 1`.execute(db).then(Boolean, () => false)
    return reply
      .status(alive ? 200 : 503)
      .type('application/health+json')
      .send(JSON.stringify({ status: alive ? 'ok' : 'error' }))
  })
}

export function authRoutes(app: FastifyInstance, identity: Identity): void {
  const { settings, clock } = identity
  const logins = createAddressLimit({ perMinute: LOGINS_PER_MINUTE, clock })

  app.addHook('onRequest', async (request) => {
    rejectCrossOrigin(request, settings)
    await rejectBadToken(identity, request)
  })

  app.post('/auth/login', async (request, reply) => {
    const seconds = settings.RATE_LIMITS ? await logins.take(request.ip) : 0
    if (seconds > 0) throw requestsExceeded(LOGINS_PER_MINUTE, seconds, clock.now())
    return sendGrant(reply, await login(identity, parseBody(loginSchema, request.body), request.ip))
  })
  app.post('/auth/refresh', async (request, reply) => {
    const { mode, token } = await currentToken(identity, request)
    return sendGrant(reply, await refresh(identity, mode, token))
  })
  app.post('/auth/logout', async (request, reply) => {
    clearGivenCookies(request, reply, settings)
    return noContent(reply, logout(identity, (await currentToken(identity, request)).token))
  })

  /** The tokens are at the top level too, where some clients expect them. */
  function sendGrant(reply: FastifyReply, grant: Grant) {
    setGrantCookie(reply, grant, settings)
    return { data: grant.data, ...grant.data }
  }
}

export function userRoutes(app: FastifyInstance, identity: Identity): void {
  app.addHook('onRequest', async (request, reply) => {
    rejectCrossOrigin(request, identity.settings)
    request.caller = await authenticate(identity, request, reply)
  })

  app.get('/users/me', (request) => data(readMe(identity, request.caller, queryOf(request))))
  app.patch('/users/me', async (request) => {
    await updateMe(identity, request.caller, request.body)
    return data(readMe(identity, request.caller, queryOf(request)))
  })
  app.get('/users', (request) => data(listUsers(identity, request.caller, queryOf(request))))
  app.post('/users', async (request) => {
    const id = await createUser(identity, request.caller, request.body)
    return data(readUser(identity, request.caller, id, queryOf(request)))
  })
  app.get('/users/:id', (request) =>
    data(readUser(identity, request.caller, idOf(request), queryOf(request))),
  )
  app.patch('/users/:id', async (request) => {
    await updateUser(identity, request.caller, idOf(request), request.body)
    return data(readUser(identity, request.caller, idOf(request), queryOf(request)))
  })
  app.delete('/users/:id', (request, reply) =>
    noContent(reply, deleteUser(identity, request.caller, idOf(request))),
  )

  app.post('/users/me/tfa/generate', (request) =>
    data(generateTfa(identity, request.caller, request.body, request.ip)),
  )
  app.post('/users/me/tfa/enable', (request, reply) =>
    noContent(reply, enableTfa(identity, request.caller, request.body)),
  )
  app.post('/users/me/tfa/disable', (request, reply) =>
    noContent(reply, disableMyTfa(identity, request.caller, request.body, request.ip)),
  )
  app.post('/users/:id/tfa/disable', (request, reply) =>
    noContent(reply, disableTfaOf(identity, request.caller, idOf(request))),
  )

  app.get('/roles', async (request) => {
    requireAdmin(request.caller)
    return data(listRoles(identity.db))
  })
  app.get('/policies/me/globals', async (request) => ({ data: readGlobals(request.caller) }))
}
