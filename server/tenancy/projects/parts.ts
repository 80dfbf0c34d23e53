import type { FileStore } from '../../../storage/file-store.ts'
import type { Limits } from '../limits.ts'

/** What the routes of projects depend on. */
export interface ProjectParts {
  limits: Limits
  files: FileStore
  /** Where browsers reach the service; for links. */
  publicUrl: string
}
