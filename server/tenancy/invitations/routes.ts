import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { RouteContext } from '../../api/route-spec.ts'
import type { Router } from '../../api/router.ts'
import { noBody } from '../../api/schema.ts'
import type { IdentityStore } from '../../auth/index.ts'
import { requireProfiles } from '../members/profiles.ts'
import type { MemberParts } from '../members/routes.ts'
import { answerInvitation, findInvitation } from './answer-invitation.ts'
import { AnsweredInvitation } from './schema.ts'

const tag = 'Invitations'

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
      responses: { 200: AnsweredInvitation },
      problems: verb === 'accept' ? ['limit_reached'] : [],
      find: async (context) => {
        const id = context.params['id']
        if (!isUuid(id)) throw new Problem('not_found')
        return findInvitation(context.db, id, await ownEmail(context, store))
      },
      change: (context, _tx, _prepared, invitation) => answerInvitation(context, invitation, verb, limits),
    })
  }
}

/** An invitation belongs to the user who has its e-mail address at the identity store. */
async function ownEmail(
  { principal }: Pick<RouteContext, 'principal'>,
  store: IdentityStore,
): Promise<string | null> {
  const profiles = await requireProfiles(store, principal, [principal.userId])
  return profiles.get(principal.userId)?.email?.trim().toLowerCase() ?? null
}
