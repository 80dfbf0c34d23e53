const SVG = 'http://www.w3.org/2000/svg'

/** A shared device loads it in advance, since it can be offline when it needs it. */
export const loadQrEncoder = () => import('uqr').catch(() => null)

/** Draws the text as a QR code. The encoder is loaded only where one is shown; without it, the text is shown. */
export async function showQrCode(target: HTMLElement, text: string, label: string): Promise<void> {
  const encoder = await loadQrEncoder()
  if (!encoder) return target.replaceChildren(text)
  const { data, size } = encoder.encode(text, { ecc: 'M', border: 4 })
  const svg = document.createElementNS(SVG, 'svg')
  const attributes = { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label }
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value)
  const path = document.createElementNS(SVG, 'path')
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  path.setAttribute('d', modules.join(''))
  svg.append(path)
  target.replaceChildren(svg)
}
