import type { Context, Guarded } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import type { Circle } from './circle.ts'
import type { Profiles } from './profiles.ts'

/** A change of one circle's members, as its route sees it. */
export interface MemberChange {
  circle: Circle
  access: Guarded
  context: Pick<Context, 'principal' | 'requestId' | 'ifMatch'>
  /** What the identity store says of the users that the change depends on, asked before its transaction. */
  profiles: Profiles
  limits: Limits
}
