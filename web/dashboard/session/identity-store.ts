import { Unreachable } from '../api/problem.ts'
import { settings } from '../settings.ts'
import { forgetTab } from './draft.ts'

/** Why signing in failed. Locked and suspended accounts look like a wrong password, so that nothing is revealed. */
type SignInErrorReason = 'wrong_password' | 'code_needed' | 'wrong_code' | 'too_many' | 'other'

export class SignInError extends Error {
  readonly reason: SignInErrorReason

  constructor(reason: SignInErrorReason) {
    super(reason)
    this.reason = reason
  }
}

export interface Credentials {
  email: string
  password: string
  /** The one-time code of the second factor. */
  otp?: string
}

async function post(path: string, body: object): Promise<Response> {
  if (settings.identity_url === null) throw new Unreachable()
  return fetch(`${settings.identity_url}${path}`, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Unreachable('', { cause })
  })
}

/** The identity store sets the session cookie, which scripts cannot read. */
export async function signIn({ otp, ...credentials }: Credentials): Promise<void> {
  const response = await post('/auth/login', { ...credentials, ...(otp && { otp }), mode: 'session' })
  if (response.ok) return
  if (response.status === 503) throw new Unreachable()
  const body = (await response.json().catch(() => null)) as { errors?: { extensions?: { code?: string } }[] }
  throw new SignInError(reasonOf(response.status, body?.errors?.[0]?.extensions?.code, otp))
}

function reasonOf(status: number, code: string | undefined, otp: string | undefined): SignInErrorReason {
  if (code === 'INVALID_OTP') return otp ? 'wrong_code' : 'code_needed'
  if (status === 429) return 'too_many'
  return status === 401 || code === 'INVALID_CREDENTIALS' ? 'wrong_password' : 'other'
}

export async function signOut(): Promise<void> {
  await post('/auth/logout', { mode: 'session' })
  forgetTab()
}
