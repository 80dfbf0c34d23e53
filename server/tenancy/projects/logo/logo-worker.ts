import { parentPort, workerData } from 'node:worker_threads'
import type { ImageHeader } from './image-header.ts'
import { normalizeLogo } from './normalize-logo.ts'

/** The code of the thread that decodes: an error ends the thread, and `decodeLogo` reports it. */
const { bytes, header } = workerData as { bytes: Uint8Array; header: ImageHeader }
parentPort?.postMessage({ result: normalizeLogo(Buffer.from(bytes), header) })
