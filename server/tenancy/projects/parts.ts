import type { FileStore } from '../../../storage/file-store.ts'
import type { IdentityStore } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'

/** Dependencies of the routes of projects. */
export interface ProjectParts {
  limits: Limits
  store: IdentityStore
  files: FileStore
  /** Where browsers reach the service; for links. */
  publicUrl: string
}
