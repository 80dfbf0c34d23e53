import { runTasks } from '../../../../media/run-tasks.ts'
import type { ImageHeader } from './image-header.ts'
import { type NormalizedLogo, normalizeLogo } from './normalize-logo.ts'

/** The code of the thread that decodes: an error ends the thread, and `decodeLogo` reports it. */
runTasks<{ bytes: Uint8Array; header: ImageHeader }, never, NormalizedLogo>(({ bytes, header }) =>
  normalizeLogo(Buffer.from(bytes), header),
)
