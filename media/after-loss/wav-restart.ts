import type { RestartRule } from './restart-point.ts'

/** Samples have no marks: the slices must hold whole samples, as the first one does. */
export const wavRestart: RestartRule = {
  container: 'wav',
  headerEnd(bytes) {
    const format = bytes.indexOf('fmt ')
    const data = bytes.indexOf('data')
    if (format < 0 || data < format || format + 22 > bytes.length) return null
    const frame = bytes.readUInt16LE(format + 20)
    return frame > 0 && (bytes.length - data - 8) % frame === 0 ? data + 8 : null
  },
  find: () => ({ at: 0, startMs: null }),
}
