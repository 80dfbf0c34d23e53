import { join } from 'node:path'
import { isApple } from '../apple/apple-file.ts'
import { convertApple } from '../apple/convert-apple.ts'
import type { JoinPart } from './source-file.ts'
import { type TranscodeOptions, transcode } from './transcode.ts'

/** AIFF and CAF files become files that the demuxer reads, in `folder`; with a codec that needs it, by ffmpeg. Others stay. */
export async function convertParts(
  parts: readonly JoinPart[],
  folder: string,
  signal: AbortSignal,
  options: TranscodeOptions,
): Promise<JoinPart[]> {
  const converted: JoinPart[] = []
  for (const [index, part] of parts.entries()) {
    const { path, container, continuation } = part
    if (!isApple(container) || continuation) {
      converted.push(part)
      continue
    }
    signal.throwIfAborted()
    const target = join(folder, `converted-${index}`)
    const known = await convertApple(path, container, target)
    if (known) converted.push({ ...part, path: target, container: known })
    else {
      const file = { container, spans: [{ path, start: 0 }], parts: [index] }
      const [made] = await transcode([file], folder, signal, { ...options, prefix: `${index}-` })
      const [span] = made?.spans ?? []
      converted.push(span && 'path' in span ? { ...part, path: span.path, container: 'webm' } : part)
    }
  }
  return converted
}
