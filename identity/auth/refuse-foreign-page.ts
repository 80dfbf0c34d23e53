import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { forbidden } from '../errors.ts'
import { clearOfCookies } from './cookies.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page of another origin must not use a visitor's cookies. SameSite=Lax and the preflight that JSON needs stop most of it;
 * a sibling (another port of localhost, a subdomain) can still send a POST without a body, to log out or refresh.
 */
export function refuseForeignPage(request: FastifyRequest, settings: Settings): void {
  const { origin } = request.headers
  if (origin === undefined || SAFE_METHODS.has(request.method) || clearOfCookies(request, settings)) return
  if (request.headers['sec-fetch-site'] === 'same-origin') return
  const own = settings.IDENTITY_PUBLIC_URL && new URL(settings.IDENTITY_PUBLIC_URL).origin
  if (origin !== own && !settings.ALLOWED_ORIGINS.includes(origin)) throw forbidden()
}
