import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Identity } from '../context.ts'
import { invalidPayload } from '../errors.ts'
import { parseBody } from '../parse.ts'
import { cookieOf } from './cookies.ts'
import { modeSchema } from './grant.ts'

const bodySchema = z.object({ refresh_token: z.string().max(1024).optional(), mode: modeSchema.optional() })

/** The token to refresh or to log out: in the body, or in the cookie of its mode. */
export async function currentToken(identity: Identity, request: FastifyRequest) {
  const body = parseBody(bodySchema, request.body)
  const mode = body.mode ?? (body.refresh_token ? 'json' : 'cookie')
  const token = mode === 'json' ? body.refresh_token : await tokenInCookie(identity, request, mode)
  if (!token) throw invalidPayload('The refresh token is required in either the payload or cookie')
  return { mode, token }
}

async function tokenInCookie(
  { accessTokens, settings }: Identity,
  request: FastifyRequest,
  mode: 'cookie' | 'session',
) {
  const cookie = cookieOf(request, mode, settings)
  if (mode === 'cookie' || !cookie) return cookie
  return accessTokens.isOurs(cookie) ? (await accessTokens.verify(cookie)).session : undefined
}
