import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { forbidden } from '../errors.ts'
import { hasNoCookies } from './cookies.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * CSRF protection. SameSite=Lax and the CORS preflight for JSON stop most cross-origin requests with cookies, but a page on
 * the same site (another port of localhost, a subdomain) can still send a POST without a body, to log out or refresh.
 */
export function rejectCrossOrigin(request: FastifyRequest, settings: Settings): void {
  const { origin } = request.headers
  if (origin === undefined || SAFE_METHODS.has(request.method) || hasNoCookies(request, settings)) return
  if (request.headers['sec-fetch-site'] === 'same-origin') return
  const own = settings.IDENTITY_PUBLIC_URL && new URL(settings.IDENTITY_PUBLIC_URL).origin
  if (origin !== own && !settings.ALLOWED_ORIGINS.includes(origin)) throw forbidden()
}
