import { z } from 'zod'
import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import { id, noBody } from '../../api/schema.ts'
import type { Context, IdentityStore, Router } from '../../auth/index.ts'
import { requireProfiles } from '../members/profiles.ts'
import type { MemberParts } from '../members/routes.ts'
import { answerInvitation, findInvitation } from './answer-invitation.ts'

const tag = 'Invitations'
const InvitationAnswer = z
  .object({
    id,
    organisation_id: id,
    workspace_id: id.nullable(),
    role: z.string(),
    state: z.enum(['accepted', 'declined']),
  })
  .meta({ id: 'AnsweredInvitation' })

export function registerInvitations(router: Router, { store, limits }: MemberParts): void {
  for (const verb of ['accept', 'decline'] as const) {
    router.change({
      id: `${verb}Invitation`,
      summary: verb === 'accept' ? 'Accept an invitation and hold its role' : 'Decline an invitation',
      tag,
      method: 'POST',
      url: `/api/v2/invitations/:id/${verb}`,
      access: { kind: 'signed_in' },
      body: noBody,
      answers: { 200: InvitationAnswer },
      problems: ['not_found', ...(verb === 'accept' ? (['limit_reached'] as const) : [])],
      find: async (context) => {
        const id = context.params['id']
        if (!isUuid(id)) throw new Problem('not_found')
        return findInvitation(context.db, id, await ownEmail(context, store))
      },
      change: (context, tx, _prepared, invitation) => answerInvitation(context, tx, invitation, verb, limits),
    })
  }
}

/** An invitation is answered by whoever holds its e-mail address at the identity store. */
async function ownEmail(
  { principal }: Pick<Context, 'principal'>,
  store: IdentityStore,
): Promise<string | null> {
  const profiles = await requireProfiles(store, principal, [principal.userId])
  return profiles.get(principal.userId)?.email?.trim().toLowerCase() ?? null
}
