/** The backgrounds of the recording page. */
export const LIGHT_PAGE = '#ffffff'
export const DARK_PAGE = '#14171c'

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for the outlines and shapes of controls. */
const TEXT_CONTRAST = 4.5
const SHAPE_CONTRAST = 3

type Rgb = [red: number, green: number, blue: number]

const toRgb = (color: string): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as Rgb
const toHex = (rgb: Rgb): string => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** Relative luminance as WCAG defines it, from 0 (black) to 1 (white). */
export function luminance(color: string): number {
  const [red, green, blue] = toRgb(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same) to 21 (black and white). */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** White or black, whichever is easier to read on the colour: at least 4.58:1 on every colour. */
export const textOn = (color: string): string =>
  contrast(color, '#ffffff') >= TEXT_CONTRAST || contrast(color, '#ffffff') >= contrast(color, '#000000')
    ? '#ffffff'
    : '#000000'

/** The message for a colour whose shapes cannot be seen on the light page; null for one that can be used. */
export function accentProblem(color: string): string | null {
  const ratio = contrast(color, LIGHT_PAGE)
  if (ratio >= SHAPE_CONTRAST) return null
  // Rounded down, so that the message never says "3.00:1" about a colour that misses the limit.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
  return `has a contrast of ${shown}:1 with the white page; at least ${SHAPE_CONTRAST}:1 is required (WCAG 2.2, 1.4.11). Choose a darker colour`
}

/** A colour to fill and outline controls with, and the colour of text on it. */
interface AccentPair {
  fill: string
  text: string
}

export interface AccentColors {
  light: AccentPair
  dark: AccentPair
}

/** The accent on both pages. On the dark page, a dark colour is mixed with white until its shapes can be seen. */
export function accentColors(color: string): AccentColors {
  const dark = lightenUntilVisible(color)
  return { light: { fill: color, text: textOn(color) }, dark: { fill: dark, text: textOn(dark) } }
}

function lightenUntilVisible(color: string): string {
  const rgb = toRgb(color)
  for (let share = 0; share < 255; share++) {
    const mixed = toHex(rgb.map((channel) => Math.round(channel + ((255 - channel) * share) / 255)) as Rgb)
    if (contrast(mixed, DARK_PAGE) >= SHAPE_CONTRAST) return mixed
  }
  return '#ffffff'
}
