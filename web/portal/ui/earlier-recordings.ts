import type { Translate } from '../languages/languages.ts'
import type { EarlierRecordings, Queue } from '../outbox/queue.ts'
import { paragraph } from './controls.ts'
import { h } from './element.ts'
import { icon } from './icons.ts'

/** Lines of a shared device about earlier participants: how many recordings wait, were refused or are damaged, and nothing of them. */
function linesOf(t: Translate, { waiting, refused, lost }: EarlierRecordings): HTMLElement[] {
  const troubles = [
    ...(refused > 0 ? [t('kioskNotAccepted', { count: refused })] : []),
    ...(lost > 0 ? [t('kioskLost', { count: lost })] : []),
  ]
  const [first, ...others] = [...troubles, t('kioskTell')]
  return [
    ...(waiting > 0 ? [paragraph(t('kioskWaiting', { count: waiting }), 'soft')] : []),
    // Not an alert: it is not about the person who reads it.
    ...(troubles.length > 0
      ? [
          h(
            'div',
            { class: 'notice' },
            icon('warning'),
            h('strong', {}, first),
            ...others.map((text) => paragraph(text)),
          ),
        ]
      : []),
  ]
}

/** For a page without a queue. */
export const refusedRecordings = (t: Translate, count: number): HTMLElement[] =>
  linesOf(t, { waiting: 0, refused: count, lost: 0 })

/** Follows the queue until `stop` is called. Empty while there is nothing to say. */
export function earlierRecordings(t: Translate, queue: Queue) {
  const element = h('div', { role: 'status' })
  let shown = ''
  const update = () => {
    const { earlier } = queue
    const now = JSON.stringify(earlier)
    if (now !== shown) element.replaceChildren(...linesOf(t, earlier))
    shown = now
  }
  update()
  return { element, stop: queue.onChange(update) }
}
