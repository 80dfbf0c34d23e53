import { z } from 'zod'

export const EMAIL_MAX = 254
export const PASSWORD_MIN = 8
/** argon2 takes any length; this keeps a body's worth of password out of it. */
export const PASSWORD_MAX = 1024
/** Shown in place of a secret that is set. */
export const MASK = '**********'

const NO_NUL = /^[^\0]*$/
const name = z.string().max(255).regex(NO_NUL, 'must not contain NUL').nullable()

/**
 * Printable, so that it fits a header. Three parts with dots look like a JWT: the backend would never ask us about such
 * a token.
 */
export const staticToken = z
  .string()
  .min(16, 'must have at least 16 characters')
  .max(512, 'must have at most 512 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .refine((token) => token.split('.').length !== 3, 'must not have three parts with dots, like a JWT')

/** A client that sends back what it was shown must not make the mask its user's password. */
const password = z
  .string()
  .min(PASSWORD_MIN)
  .max(PASSWORD_MAX)
  .refine((value) => value !== MASK, 'must not be the mask of a hidden value')

/** What administrators may set of a user. */
export const userChanges = z.strictObject({
  email: z.email().max(EMAIL_MAX).nullable().optional(),
  first_name: name.optional(),
  last_name: name.optional(),
  password: password.optional(),
  status: z.enum(['active', 'suspended']).optional(),
  role: z.guid().toLowerCase().nullable().optional(),
  token: staticToken.nullable().optional(),
})
export type UserChanges = z.output<typeof userChanges>

export const newUser = userChanges.extend({ id: z.guid().toLowerCase().optional() })

/** What users may set of themselves. Not the e-mail address: invitations go by it, so that it must not be chosen freely. */
export const ownChanges = userChanges.pick({ first_name: true, last_name: true, password: true })
/** Known fields that are somebody else's to set. */
export const ADMIN_ONLY = ['id', 'email', 'role', 'token', 'status'] as const
