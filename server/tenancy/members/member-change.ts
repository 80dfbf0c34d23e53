import type { Context, Guarded } from '../../access/index.ts'
import type { Circle } from './circle.ts'

/** A change of one circle's members, as its route sees it. */
export interface MemberChange {
  circle: Circle
  access: Guarded
  context: Pick<Context, 'principal' | 'requestId' | 'ifMatch'>
}
