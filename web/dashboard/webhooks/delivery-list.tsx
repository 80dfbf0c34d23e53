import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './deliveries.module.css'
import { DeliveryStatus, Result } from './delivery-status.tsx'
import type { WebhookPath } from './queries.ts'

const ROW_HEIGHT = 56
/** Rows before the end at which the next page is read. */
const AHEAD = 30

interface Props {
  path: WebhookPath
  deliveries: Schemas['Delivery'][]
  hasMore: boolean
  onEnd: () => void
}

/** Only the rows on the screen are in the page: 10,000 of them scroll smoothly. */
export function DeliveryList({ path, deliveries, hasMore, onEnd }: Props): ReactNode {
  const w = useWords()
  const { columns } = w.deliveries
  const body = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // The list moves down when a note appears above it.
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0
    setScrollMargin(Math.round(top + window.scrollY))
  })
  const virtualizer = useWindowVirtualizer({
    count: deliveries.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => deliveries[index]?.id ?? index,
    overscan: 8,
    scrollMargin,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last > deliveries.length - AHEAD) onEnd()
  }, [last, deliveries.length, onEnd])
  return (
    <div>
      <div className={classes['head']} aria-hidden>
        <div>{columns.event}</div>
        <div>{columns.status}</div>
        <div className={classes['wide']}>{columns.result}</div>
        <div className={classes['wide']}>{columns.attempts}</div>
        <div className={classes['wide']}>{columns.created}</div>
      </div>
      <ul
        ref={body}
        aria-label={w.deliveries.title}
        className={classes['body']}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const delivery = deliveries[index]
          return (
            delivery && (
              <li
                key={key}
                aria-posinset={index + 1}
                aria-setsize={hasMore ? -1 : deliveries.length}
                className={classes['item']}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start - scrollMargin}px)` }}
              >
                <Cells path={path} delivery={delivery} />
              </li>
            )
          )
        })}
      </ul>
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {w.deliveries.loaded(deliveries.length)}
        {hasMore && '+'}
      </Text>
    </div>
  )
}

interface CellsProps {
  path: WebhookPath
  delivery: Schemas['Delivery']
}

/** Each frame of scrolling moves the rows; only those that appear are rendered. */
const Cells = memo(function Cells({ path, delivery }: CellsProps): ReactNode {
  const w = useWords()
  const { id, event, kind, status, attempts, created_at } = delivery
  return (
    <>
      <div>
        <Text size="sm" fw={550} truncate>
          <Link
            to="/projects/$pid/webhooks/$id/deliveries/$did"
            params={{ ...path, did: id }}
            className={classes['link']}
          >
            {w.webhooks.eventNames[event]}
          </Link>
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {kind === 'event' ? event : w.deliveries.kinds[kind]}
          <Text component="span" inherit hiddenFrom="sm">
            {' · '}
            <Time at={created_at} />
          </Text>
        </Text>
      </div>
      <div>
        <DeliveryStatus status={status} />
      </div>
      <div className={classes['wide']}>
        <Result {...delivery} />
      </div>
      <div className={`${classes['wide']} ${classes['number']}`}>
        <Text size="sm">{attempts}</Text>
      </div>
      <div className={classes['wide']}>
        <Text size="sm">
          <Time at={created_at} />
        </Text>
      </div>
    </>
  )
})
