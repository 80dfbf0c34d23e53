import { z } from 'zod'
import { checkDatabaseUrl } from '../database/hosts.ts'
import { networkList, onOff, originList, port, setting, wholeNumber } from '../platform/settings.ts'
import { hasUserinfo } from '../platform/url-text.ts'
import { PASSWORD_MIN, staticToken } from './users/user-schema.ts'

const required = {
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : undefined),
}
const postgresUrl = z.string(required).superRefine((url, context) => {
  try {
    checkDatabaseUrl(url)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
})

/** All settings of the identity store. */
export const settingsSchema = z.object({
  DATABASE_URL: setting(
    postgresUrl,
    'Connection URL of the PostgreSQL database; the store uses only the schema `identity`.',
    { secret: true },
  ),
  HOST: setting(z.string().default('127.0.0.1'), 'Address that the store listens on.'),
  IDENTITY_PORT: setting(port(8055), 'Port that the store listens on; 0 picks a free port.'),
  IDENTITY_PUBLIC_URL: setting(
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .refine((url) => !hasUserinfo(url), 'must not contain a user name or password')
      .optional(),
    'Address at which browsers reach the store; with https, its cookies are Secure.',
    { default: 'from host and port' },
  ),
  IDENTITY_SECRET: setting(
    z.string(required).min(32, 'must have at least 32 characters'),
    'Secret that signs access tokens (HS256, its UTF-8 bytes are the key) and encrypts authenticator secrets.',
    { secret: true },
  ),
  IDENTITY_ISSUER: setting(z.string().default('directus'), 'The `iss` of every access token.'),
  IDENTITY_TOKEN: setting(
    staticToken.optional(),
    "The static token of the backend's own user, which can only read users.",
    { secret: true },
  ),
  ADMIN_EMAIL: setting(
    z.email('must be an e-mail address').default('admin@example.com'),
    'E-mail address of the first administrator, who is created if there is none.',
  ),
  ADMIN_PASSWORD: setting(
    z.string().min(PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`).optional(),
    "The first administrator's password.",
    { default: 'random, shown once', secret: true },
  ),
  SESSION_COOKIE_NAME: setting(
    z
      .string()
      .regex(/^[\w-]{1,64}$/, 'must be a cookie name')
      .default('service_session_token'),
    'Name of the session cookie.',
  ),
  ALLOWED_ORIGINS: setting(
    originList(),
    'Origins of web pages that are allowed to call the store with cookies.',
  ),
  TRUSTED_PROXIES: setting(
    networkList(),
    'Reverse proxies whose X-Forwarded-For header is trusted, for the limit per address.',
  ),
  RATE_LIMITS: setting(
    onOff('on'),
    'Limits logins per address and account, and password changes per user; off is for load tests.',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Lowest level that is logged.',
  ),
  ACCESS_TOKEN_SECONDS: setting(wholeNumber(900, 1, 86_400), 'Lifetime of an access token.', {
    unit: 'seconds',
  }),
  REFRESH_TOKEN_SECONDS: setting(wholeNumber(604_800, 1, 31_536_000), 'Lifetime of a refresh token.', {
    unit: 'seconds',
  }),
  SESSION_SECONDS: setting(wholeNumber(86_400, 1, 31_536_000), 'Lifetime of a session cookie.', {
    unit: 'seconds',
  }),
})

export type Settings = z.output<typeof settingsSchema>
