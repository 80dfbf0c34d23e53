import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The ffmpeg that decodes and joins: its path on the PATH; null if it is not installed. */
export function findFfmpeg(): string | null {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'ffmpeg'))
  return candidates.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
