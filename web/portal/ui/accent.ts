/** Uses the project's colour for what can be pressed, with black or white text on it, whichever is easier to read. */
export function applyAccent(color: string | null): void {
  const channels = color?.match(/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i)?.slice(1)
  if (!color || !channels) return
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => linear(Number.parseInt(channel, 16) / 255))
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const isLight = (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05)
  const { style } = document.documentElement
  style.setProperty('--accent', color)
  style.setProperty('--on-accent', isLight ? '#000' : '#fff')
}

/** WCAG 2: an sRGB channel as a share of light. */
const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
