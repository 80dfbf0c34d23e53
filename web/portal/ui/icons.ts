/** Icons are drawn in the colour of the text around them. Screen readers skip them. */
const PATHS = {
  back: 'M15 5l-7 7 7 7',
  microphone: 'M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3',
  pause: 'M9 5v14M15 5v14',
  play: 'M8 5l11 7-11 7z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3z',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  offline:
    'M4 4l16 16M2 9a15 15 0 0 1 6-3.4M12 5a15 15 0 0 1 10 4M6 13a9 9 0 0 1 4-2.2M15 11.4a9 9 0 0 1 3 1.6M12 18.5v.5',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  text: 'M4 6h16M4 12h16M4 18h10',
  closed:
    'M7 11h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  sent: 'M4 12l16-8-6 16-3-7z',
} as const

export type Icon = keyof typeof PATHS

const SVG = 'http://www.w3.org/2000/svg'

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const attributes = {
    viewBox: '0 0 24 24',
    class: `icon icon-${name}`,
    'aria-hidden': 'true',
    focusable: 'false',
  }
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value)
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

export function replaceIcon(parent: HTMLElement, name: Icon): void {
  const known = parent.querySelector('.icon')
  if (!known?.classList.contains(`icon-${name}`)) known?.replaceWith(icon(name))
}
