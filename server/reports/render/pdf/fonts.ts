import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { coverageOf } from './font-coverage.ts'

export type FontName = 'serif' | 'serif-italic' | 'sans' | 'sans-bold'

const FILES: Record<FontName, string> = {
  serif: 'DejaVuSerifCondensed',
  'serif-italic': 'DejaVuSerifCondensed-Italic',
  sans: 'DejaVuSansCondensed',
  'sans-bold': 'DejaVuSansCondensed-Bold',
}

/** Where to look for a character that a font lacks: only the upright sans has Arabic, Hebrew and most signs. */
const CHAINS: Record<FontName, readonly FontName[]> = {
  serif: ['serif', 'sans'],
  'serif-italic': ['serif-italic', 'serif', 'sans'],
  sans: ['sans'],
  'sans-bold': ['sans-bold', 'sans'],
}

interface FontFile {
  bytes: Buffer
  has(codePoint: number): boolean
}

const loaded = new Map<FontName, FontFile>()
const { resolve } = createRequire(import.meta.url)

/** Read at the first report and kept: 2 MB for all four. */
function load(name: FontName): FontFile {
  const known = loaded.get(name)
  if (known) return known
  const bytes = readFileSync(resolve(`dejavu-fonts-ttf/ttf/${FILES[name]}.ttf`))
  const file = { bytes, has: coverageOf(bytes) }
  loaded.set(name, file)
  return file
}

export const fontFiles = (): [name: FontName, bytes: Buffer][] =>
  (Object.keys(FILES) as FontName[]).map((name) => [name, load(name).bytes])

/** Joiners and variation selectors shape their neighbours and need no glyph of their own. */
const SHAPES_ONLY = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f'])

/** The first font that can show all of a grapheme, or null where none can. */
export function fontFor(grapheme: string, wanted: FontName): FontName | null {
  const needed = Array.from(grapheme).filter((char) => !SHAPES_ONLY.has(char))
  return (
    CHAINS[wanted].find((name) => needed.every((char) => load(name).has(char.codePointAt(0) ?? 0))) ?? null
  )
}
