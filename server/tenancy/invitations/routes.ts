import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { Router } from '../../api/router.ts'
import { noBody } from '../../api/schema.ts'
import { requireEmail } from '../members/profiles.ts'
import type { MemberParts } from '../members/routes.ts'
import { answerInvitation, findInvitation } from './accept-or-decline-invitation.ts'
import { AnsweredInvitation } from './schema.ts'

const tag = 'Invitations'

export function registerInvitations(router: Router, { store, limits }: MemberParts): void {
  for (const verb of ['accept', 'decline'] as const) {
    router.change({
      id: `${verb}Invitation`,
      summary: verb === 'accept' ? 'Accept an invitation and get its role' : 'Decline an invitation',
      tag,
      method: 'POST',
      url: `/api/v2/invitations/:id/${verb}`,
      access: { kind: 'signed_in' },
      body: noBody,
      responses: { 200: AnsweredInvitation },
      problems: verb === 'accept' ? ['limit_reached'] : [],
      find: async ({ db, params: { id }, principal }) => {
        if (!isUuid(id)) throw new Problem('not_found')
        return findInvitation(db, id, await requireEmail(store, principal))
      },
      change: (context, _tx, _prepared, invitation) => answerInvitation(context, invitation, verb, limits),
    })
  }
}
