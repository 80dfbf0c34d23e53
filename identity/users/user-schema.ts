import { z } from 'zod'

export const EMAIL_MAX = 254
export const PASSWORD_MIN = 8
/** argon2 accepts any length; this limits the work. */
export const PASSWORD_MAX = 1024
/** Shown instead of a secret. */
export const MASK = '**********'

const NO_NUL = /^[^\0]*$/
const name = z.string().max(255).regex(NO_NUL, 'must not contain NUL').nullable()

/**
 * Printable, so that it fits into a header. Three parts with dots look like a JWT, which the backend would not send to the
 * store.
 */
export const staticToken = z
  .string()
  .min(16, 'must have at least 16 characters')
  .max(512, 'must have at most 512 characters')
  .regex(/^[\x21-\x7e]+$/, 'must contain only printable ASCII characters, without spaces')
  .refine((token) => token.split('.').length !== 3, 'must not have the form a.b.c, like a JWT')

/** A client that sends back a user as shown must not set the mask as password. */
const password = z
  .string()
  .min(PASSWORD_MIN)
  .max(PASSWORD_MAX)
  .refine((value) => value !== MASK, 'must be the real value, not the asterisks that hide it')

/** The fields that administrators can set. */
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

/** The fields that users can set themselves. Not the e-mail address, because invitations are matched by it. */
export const ownChanges = userChanges.pick({ first_name: true, last_name: true, password: true })
/** Fields that only administrators can set. */
export const ADMIN_ONLY = ['id', 'email', 'role', 'token', 'status'] as const
