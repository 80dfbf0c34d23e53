import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

export type FontName = 'serif' | 'serif-italic' | 'sans' | 'sans-bold'

const FILES: Record<FontName, string> = {
  serif: 'DejaVuSerifCondensed',
  'serif-italic': 'DejaVuSerifCondensed-Italic',
  sans: 'DejaVuSansCondensed',
  'sans-bold': 'DejaVuSansCondensed-Bold',
}

/** Font fallback: only the upright sans has Arabic, Hebrew and most symbols. */
const FALLBACKS: Record<FontName, readonly FontName[]> = {
  serif: ['serif', 'sans'],
  'serif-italic': ['serif-italic', 'serif', 'sans'],
  sans: ['sans'],
  'sans-bold': ['sans-bold', 'sans'],
}

const { resolve } = createRequire(import.meta.url)
const loaded = new Map<FontName, { bytes: Buffer; font: Font }>()

/** Read for the first report and kept: the four files are 2 MB. */
function load(name: FontName): { bytes: Buffer; font: Font } {
  const known = loaded.get(name)
  if (known) return known
  const bytes = readFileSync(resolve(`dejavu-fonts-ttf/ttf/${FILES[name]}.ttf`))
  loaded.set(name, { bytes, font: create(bytes) as Font })
  return load(name)
}

/** Each document parses its fonts again: fontkit caches glyphs with the characters of their first use, which breaks Arabic in a second document. */
export function registerFonts(pdf: PDFKit.PDFDocument): void {
  for (const name of Object.keys(FILES) as FontName[]) pdf.registerFont(name, load(name).bytes)
}

/** Joiners and variation selectors change the shape of their neighbours and need no glyph. */
const NEEDS_NO_GLYPH = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f'])

/** The first font that has glyphs for the whole grapheme, or null. pdfkit would draw an empty box for a missing glyph. */
export function fontFor(grapheme: string, preferred: FontName): FontName | null {
  const needed = Array.from(grapheme).filter((char) => !NEEDS_NO_GLYPH.has(char))
  return (
    FALLBACKS[preferred].find((name) =>
      needed.every((char) => load(name).font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)),
    ) ?? null
  )
}
