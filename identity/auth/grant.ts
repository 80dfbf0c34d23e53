import { z } from 'zod'
import type { Caller } from '../caller.ts'
import type { Identity } from '../context.ts'
import type { SessionKind } from '../tables.ts'

/** Where the client gets its tokens: all in the body, the refresh token in a cookie, or one session cookie. */
export const modeSchema = z.enum(['json', 'cookie', 'session'])
export type Mode = z.output<typeof modeSchema>

export const kindOf = (mode: Mode): SessionKind => (mode === 'session' ? 'session' : 'refresh')

/** The result of a login or refresh: `data` of the body, and the value of the cookie. */
export interface Grant {
  mode: Mode
  data: { expires: number; refresh_token?: string; access_token?: string }
  cookie: string | null
}

export async function grant(
  { accessTokens, settings }: Identity,
  mode: Mode,
  { id, role, app_access, admin_access }: Caller,
  sessionToken: string,
): Promise<Grant> {
  const claims = { id, role, app_access, admin_access }
  if (mode === 'session') {
    const cookie = await accessTokens.sign({ ...claims, session: sessionToken }, settings.SESSION_SECONDS)
    return { mode, data: { expires: settings.SESSION_SECONDS * 1000 }, cookie }
  }
  const accessToken = await accessTokens.sign(claims, settings.ACCESS_TOKEN_SECONDS)
  const expires = settings.ACCESS_TOKEN_SECONDS * 1000
  if (mode === 'cookie') return { mode, data: { expires, access_token: accessToken }, cookie: sessionToken }
  return { mode, data: { expires, refresh_token: sessionToken, access_token: accessToken }, cookie: null }
}
