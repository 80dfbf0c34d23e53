import { h } from './element.ts'

/** Shows the loudness. Its number is not announced: a screen reader would speak into the recording. */
export function levelBar(label: string) {
  const fill = h('div', { class: 'fill' })
  const element = h('div', { class: 'level', role: 'img', 'aria-label': label }, fill)
  return {
    element,
    set: (level: number) => fill.style.setProperty('--level', level.toFixed(3)),
  }
}
