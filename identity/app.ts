import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { createAccessTokens } from './auth/access-token.ts'
import { createAddressDigest } from './auth/address-digest.ts'
import { createHashLimits } from './auth/hash-limits.ts'
import { createPasswords, type Passwords } from './auth/passwords.ts'
import type { Settings } from './config.ts'
import type { Identity } from './context.ts'
import { MAX_BODY_KIB, sendError } from './error-response.ts'
import { routeNotFound } from './errors.ts'
import { authRoutes, serverRoutes, userRoutes } from './routes.ts'
import type { IdentityDb } from './tables.ts'
import { tfaKeyring } from './tfa/totp.ts'

export interface AppOptions {
  db: IdentityDb
  settings: Settings
  log: Logger
  /** Tests use cheaper hashes. */
  passwords?: Passwords
  clock?: Clock
}

const REQUEST_TIMEOUT_MS = 30_000

/** Builds the HTTP app; nothing runs before `listen`. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, log } = options
  const identity = identityOf(options)
  const app = fastify({
    // fastify's logger would log URLs, which can contain a token in the query.
    logger: false,
    bodyLimit: MAX_BODY_KIB * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: settings.TRUSTED_PROXIES.length > 0 ? settings.TRUSTED_PROXIES : false,
    genReqId: newId,
    frameworkErrors: (_error, request, reply) => sendError(log, routeNotFound(), request, reply),
  })
  app.decorateRequest('caller', null)
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(log, routeNotFound(), request, reply))
  acceptEmptyJson(app)
  setSecurityHeaders(app)
  logRequests(app, log)
  closeConnectionsOnShutdown(app)

  await app.register(cors, {
    origin: settings.ALLOWED_ORIGINS,
    credentials: true,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  })
  await app.register(cookie)
  await app.register(async (scope) => serverRoutes(scope, identity))
  await app.register(async (scope) => authRoutes(scope, identity))
  await app.register(async (scope) => userRoutes(scope, identity))
  return app
}

function identityOf({
  db,
  settings,
  log,
  passwords = createPasswords(),
  clock = systemClock,
}: AppOptions): Identity {
  return {
    db,
    settings,
    passwords,
    hashLimits: createHashLimits(settings.RATE_LIMITS, clock),
    addressDigest: createAddressDigest(settings.IDENTITY_SECRET),
    accessTokens: createAccessTokens(settings.IDENTITY_SECRET, settings.IDENTITY_ISSUER, clock),
    keyring: tfaKeyring(settings.IDENTITY_SECRET),
    clock,
    log,
  }
}

/** Clients send the JSON content type with an empty body to refresh or log out by cookie. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body, done)
  })
}

function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
  })
}

function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        user_id: request.caller?.id,
      },
      'request',
    )
  })
}

/** Keep-alive connections would delay the shutdown. */
function closeConnectionsOnShutdown(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close')
  })
}
