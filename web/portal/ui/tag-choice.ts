import { h } from './element.ts'

/** The tags of the project; several can be chosen. Null if the project has none. */
export function tagChoice(
  label: string,
  tags: readonly string[],
  before: readonly string[],
  onChange: (chosen: string[]) => void,
): HTMLElement | null {
  if (tags.length === 0) return null
  const chosen = new Set(before)
  return h(
    'fieldset',
    { class: 'tags' },
    h('legend', {}, label),
    ...tags.map((tag) => {
      const box = h('input', { type: 'checkbox', checked: chosen.has(tag) })
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(tag)
        else chosen.delete(tag)
        onChange([...chosen])
      })
      return h('label', {}, box, h('bdi', {}, tag))
    }),
  )
}
