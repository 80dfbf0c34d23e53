/**
 * Which characters a TrueType font has, from its `cmap` table. The library that draws puts a hollow box for a
 * missing one and says nothing, so the question is asked before, here.
 */
export function coverageOf(font: Buffer): (codePoint: number) => boolean {
  const cmap = tableOf(font, 'cmap')
  const ranges = subtablesOf(cmap).map((subtable) =>
    subtable.readUInt16BE(0) === 12
      ? groups(subtable)
      : subtable.readUInt16BE(0) === 4
        ? segments(subtable)
        : [],
  )
  const covered = new Set(ranges.flat())
  return (codePoint) => covered.has(codePoint)
}

function tableOf(font: Buffer, tag: string): Buffer {
  const tables = font.readUInt16BE(4)
  for (let at = 12; at < 12 + tables * 16; at += 16)
    if (font.toString('latin1', at, at + 4) === tag)
      return font.subarray(font.readUInt32BE(at + 8), font.readUInt32BE(at + 8) + font.readUInt32BE(at + 12))
  throw new Error(`the font has no ${tag} table`)
}

function subtablesOf(cmap: Buffer): Buffer[] {
  const count = cmap.readUInt16BE(2)
  return Array.from({ length: count }, (_, at) => at)
    .filter((at) => isUnicode(cmap.readUInt16BE(4 + at * 8), cmap.readUInt16BE(6 + at * 8)))
    .map((at) => cmap.subarray(cmap.readUInt32BE(8 + at * 8)))
}

const isUnicode = (platform: number, encoding: number): boolean =>
  platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))

/** Format 12: groups of code points that follow each other. */
function groups(table: Buffer): number[] {
  const count = table.readUInt32BE(12)
  return Array.from({ length: count }, (_, at) => 16 + at * 12).flatMap((at) =>
    between(table.readUInt32BE(at), table.readUInt32BE(at + 4)),
  )
}

/** Format 4: segments of the basic plane, in which single characters may still lack a glyph. */
function segments(table: Buffer): number[] {
  const count = table.readUInt16BE(6) / 2
  const field = (row: number, at: number): number => 14 + row * count * 2 + (row > 0 ? 2 : 0) + at * 2
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const delta = table.readUInt16BE(field(2, at))
    const offset = table.readUInt16BE(field(3, at))
    const start = table.readUInt16BE(field(1, at))
    const glyph = (code: number): number =>
      offset === 0 ? (code + delta) & 0xffff : table.readUInt16BE(field(3, at) + offset + (code - start) * 2)
    return between(start, table.readUInt16BE(field(0, at))).filter(
      (code) => code < 0xffff && glyph(code) !== 0,
    )
  })
}

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, step) => first + step)
