import type { App } from '../app.ts'
import { h } from './element.ts'

/** The tags of the project; several can be chosen. */
export function tagChoice({ t, project, answers }: App): HTMLElement | null {
  if (project.tags.length === 0) return null
  const chosen = new Set(answers.tags ?? [])
  return h(
    'fieldset',
    { class: 'tags' },
    h('legend', {}, t('aboutTags')),
    ...project.tags.map((tag) => {
      const box = h('input', { type: 'checkbox', checked: chosen.has(tag) })
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(tag)
        else chosen.delete(tag)
        answers.tags = [...chosen]
      })
      return h('label', {}, box, h('bdi', {}, tag))
    }),
  )
}
