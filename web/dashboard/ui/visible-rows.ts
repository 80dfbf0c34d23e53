import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Options {
  records: readonly { id: string }[]
  /** The height of a row, in pixels. */
  height: number
  /** Rows before the end at which `onEnd` is called. */
  ahead: number
  onEnd: () => void
}

interface VisibleRows {
  /** For the list around the rows. */
  body: RefObject<HTMLUListElement | null>
  totalHeight: number
  /** `top` is the distance from the beginning of the list. */
  rows: { index: number; key: string; top: number }[]
}

/** The rows of a long list that are on the screen. The others are not in the page. */
export function useVisibleRows({ records, height, ahead, onEnd }: Options): VisibleRows {
  const body = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // The list moves down when a note appears above it.
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0
    setScrollMargin(Math.round(top + window.scrollY))
  })
  const virtualizer = useWindowVirtualizer({
    count: records.length,
    estimateSize: () => height,
    getItemKey: (index) => records[index]?.id ?? index,
    overscan: 8,
    scrollMargin,
  })
  useEffect(() => {
    if (height) virtualizer.measure()
  }, [height, virtualizer])
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last > records.length - ahead) onEnd()
  }, [last, records.length, ahead, onEnd])
  const rows = items.map(({ index, key, start }) => ({ index, key: String(key), top: start - scrollMargin }))
  return { body, totalHeight: virtualizer.getTotalSize(), rows }
}
