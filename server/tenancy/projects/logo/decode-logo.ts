import { runThread, type ThreadLimits } from '../../../../media/run-thread.ts'
import { limitConcurrency } from '../../../../platform/concurrency-limit.ts'
import { invalidInput, Problem } from '../../../api/problems.ts'
import { readImageHeader } from './image-header.ts'
import type { NormalizedLogo } from './normalize-logo.ts'

/** Decoded, 32 MB. A photo of a phone with 12 megapixels is not a logo. */
const MAX_SIDE = 4_096
const MAX_PIXELS = 8 * 1024 * 1024

/** The largest image takes 1.1 s of CPU time. A busy machine can take longer, an endless loop cannot. */
const LIMITS: ThreadLimits = {
  stallMs: 30_000,
  cpuMs: 10_000,
  worker: new URL('./logo-worker.ts', import.meta.url),
}

export const ONLY_PNG_AND_JPEG =
  'A logo must be a PNG or JPEG image: send Content-Type image/png or image/jpeg. Convert WebP, GIF, SVG and other images first.'

/** One at a time: the memory of the thread is outside of its heap limit, so the dimensions and this limit bound it. */
const oneAtATime = limitConcurrency(1)

/** The logo as a small PNG without metadata. Throws `invalid_input` or `unsupported_media` for anything else. */
export async function decodeLogo(bytes: Buffer, limits = LIMITS): Promise<NormalizedLogo> {
  const header = readImageHeader(bytes)
  if (header === null) throw unreadable()
  if ('other' in header) throw new Problem('unsupported_media', { detail: ONLY_PNG_AND_JPEG })
  const { width, height } = header
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS)
    throw refused(
      `must have at most ${MAX_SIDE} pixels on each side and 8 megapixels; this image has ${width} × ${height}. Make it smaller`,
    )
  const outcome = await oneAtATime(() => runThread<never, NormalizedLogo>({ bytes, header }, limits))
  if ('failed' in outcome) throw unreadable()
  const { png, ...size } = outcome.result
  return { ...size, png: Buffer.from(png) }
}

const refused = (message: string): Problem => invalidInput({ path: 'body', message })
const unreadable = (): Problem =>
  refused('is not a PNG or JPEG image that can be decoded. Save it again as PNG and retry')
