import type { ChangeContext } from '../../api/route-spec.ts'
import type { AccountAccess } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import type { Profiles } from './profiles.ts'
import type { Scope } from './scope.ts'

/** A change of the members of one scope. */
export interface MemberChange {
  scope: Scope
  access: AccountAccess
  context: Pick<ChangeContext, 'principal' | 'requestId' | 'tx' | 'requireUnchanged'>
  /** Profiles of the users that the change depends on, read from the identity store before the transaction. */
  profiles: Profiles
  limits: Limits
}
