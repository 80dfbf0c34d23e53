import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import type { Grant, Mode } from './grant.ts'

/** The name in Directus. */
const REFRESH_COOKIE = 'directus_refresh_token'

type CookieMode = Exclude<Mode, 'json'>
const COOKIE_MODES: CookieMode[] = ['cookie', 'session']

const nameOf = (mode: CookieMode, settings: Settings): string =>
  mode === 'session' ? settings.SESSION_COOKIE_NAME : REFRESH_COOKIE

/** An empty cookie counts as cleared. */
export const cookieOf = (request: FastifyRequest, mode: CookieMode, settings: Settings): string | undefined =>
  request.cookies[nameOf(mode, settings)] || undefined

export function setGrantCookie(reply: FastifyReply, { mode, cookie }: Grant, settings: Settings): void {
  if (mode !== 'json' && cookie !== null)
    reply.setCookie(nameOf(mode, settings), cookie, optionsOf(mode, settings))
}

/** As in Directus: an empty value with the usual expiry. */
export function clearCookie(reply: FastifyReply, mode: CookieMode, settings: Settings): void {
  reply.setCookie(nameOf(mode, settings), '', optionsOf(mode, settings))
}

export function clearGivenCookies(request: FastifyRequest, reply: FastifyReply, settings: Settings): void {
  for (const mode of COOKIE_MODES) if (cookieOf(request, mode, settings)) clearCookie(reply, mode, settings)
}

export const hasNoCookies = (request: FastifyRequest, settings: Settings): boolean =>
  COOKIE_MODES.every((mode) => cookieOf(request, mode, settings) === undefined)

function optionsOf(mode: CookieMode, settings: Settings): CookieSerializeOptions {
  const maxAge = mode === 'session' ? settings.SESSION_SECONDS : settings.REFRESH_TOKEN_SECONDS
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: settings.IDENTITY_PUBLIC_URL?.startsWith('https:') ?? false,
    maxAge,
    expires: new Date(Date.now() + maxAge * 1000),
  }
}
