import { queryOptions } from '@tanstack/react-query'
import { Unreachable } from '../api/problem.ts'
import { settings } from '../settings.ts'
import { expireSession } from './expired.ts'

type AccountErrorReason = 'wrong_password' | 'wrong_code' | 'too_many' | 'forbidden' | 'invalid'

export class AccountError extends Error {
  readonly reason: AccountErrorReason

  constructor(reason: AccountErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The identity store shows whether a secret is set, never the secret. */
export interface OwnAccount {
  first_name: string | null
  last_name: string | null
  email: string | null
  token?: string | null
  tfa_secret?: string | null
}

interface Body {
  data?: unknown
  errors?: { message?: string; extensions?: { code?: string } }[]
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  if (settings.identity_url === null) throw new Unreachable()
  const response = await fetch(`${settings.identity_url}${path}`, {
    method,
    credentials: 'include',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Unreachable('', { cause })
  })
  const content = (await response.json().catch(() => null)) as Body | null
  if (response.ok) return content?.data as T
  if (response.status === 503) throw new Unreachable()
  const [error] = content?.errors ?? []
  throw accountErrorOf(response.status, error?.extensions?.code, error?.message ?? response.statusText)
}

function accountErrorOf(status: number, code: string | undefined, message: string): AccountError {
  if (code === 'TOKEN_EXPIRED' || code === 'INVALID_TOKEN') expireSession()
  if (code === 'INVALID_CREDENTIALS') return new AccountError('wrong_password', message)
  if (code === 'INVALID_OTP' || /"otp"/.test(message)) return new AccountError('wrong_code', message)
  if (status === 429) return new AccountError('too_many', message)
  return new AccountError(status === 403 ? 'forbidden' : 'invalid', message)
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call<OwnAccount>('GET', '/users/me?fields=first_name,last_name,email,token,tfa_secret'),
})

export const changeAccount = (
  changes: Partial<Pick<OwnAccount, 'first_name' | 'last_name' | 'token'>> & { password?: string },
): Promise<OwnAccount> => call('PATCH', '/users/me', changes)

export interface NewSecondFactor {
  secret: string
  otpauth_url: string
}

/** Has no effect until a code proves that the authenticator has the secret. */
export const generateSecondFactor = (password: string): Promise<NewSecondFactor> =>
  call('POST', '/users/me/tfa/generate', { password })

export const enableSecondFactor = (secret: string, otp: string): Promise<void> =>
  call('POST', '/users/me/tfa/enable', { secret, otp })

export const disableSecondFactor = (otp: string): Promise<void> =>
  call('POST', '/users/me/tfa/disable', { otp })
