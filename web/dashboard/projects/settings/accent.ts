/** The rules of the server for the accent colour, for the preview. `accent.test.ts` compares both. */
const DARK_PAGE = '#14171c'
const TEXT_CONTRAST = 4.5
export const MIN_CONTRAST = 3

type Rgb = [red: number, green: number, blue: number]

const toRgb = (color: string): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as Rgb
const toHex = (rgb: Rgb): string => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

function luminance(color: string): number {
  const [red, green, blue] = toRgb(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

export const contrastWithWhite = (color: string): number => contrast(color, '#ffffff')

const textOn = (color: string): string =>
  contrastWithWhite(color) >= TEXT_CONTRAST || contrastWithWhite(color) >= contrast(color, '#000000')
    ? '#ffffff'
    : '#000000'

function lightenUntilVisible(color: string): string {
  const rgb = toRgb(color)
  for (let share = 0; share < 255; share++) {
    const mixed = toHex(rgb.map((channel) => Math.round(channel + ((255 - channel) * share) / 255)) as Rgb)
    if (contrast(mixed, DARK_PAGE) >= MIN_CONTRAST) return mixed
  }
  return '#ffffff'
}

/** The accent on the light and the dark page; null for a colour that cannot be used. */
export function accentColors(text: string | null) {
  const color = text?.toLowerCase()
  if (!color || !isColor(color) || contrastWithWhite(color) < MIN_CONTRAST) return null
  const dark = lightenUntilVisible(color)
  return { light: { fill: color, text: textOn(color) }, dark: { fill: dark, text: textOn(dark) } }
}
