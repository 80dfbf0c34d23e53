import { z } from 'zod'
import { id, text, timestamp, userId } from '../../api/schema.ts'
import { type Profile, ROLES, type Role } from '../../auth/index.ts'

const role = z.enum(ROLES)

export const Member = z
  .object({
    user_id: z.string().describe('Id at the identity store'),
    name: z.string().nullable().describe('From the identity store; null while it is unavailable'),
    email: z.string().nullable().describe('From the identity store; null while it is unavailable'),
    role,
    created_at: timestamp,
  })
  .meta({ id: 'Member' })

/** Addresses are compared in lower case, without white space around them. */
const emailAddress = text(3, 254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email('must be an e-mail address'))

export const NewMember = z
  .union([z.strictObject({ user_id: userId, role }), z.strictObject({ email: emailAddress, role })])
  .describe('The id of a user of the identity store, or any e-mail address')
export const MemberPatch = z.strictObject({ role: role.optional() })

export const Invitation = z
  .object({
    id,
    organisation_id: id,
    workspace_id: id.nullable().describe('null: an invitation to the organisation itself'),
    email: z.string(),
    role,
    invited_by: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Invitation' })

export interface MemberRow {
  user_id: string
  role: Role
  created_at: string
}

export function toMember(
  { user_id, role, created_at }: MemberRow,
  profile: Profile | undefined,
): z.output<typeof Member> {
  return { user_id, name: profile?.name ?? null, email: profile?.email ?? null, role, created_at }
}
