import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import text from '../../ui/row-text.module.css'
import { Time } from '../../ui/time.tsx'
import { useVisibleRows } from '../../ui/visible-rows.ts'
import { useWords } from '../../words/words.tsx'
import type { WebhookPath } from '../queries.ts'
import classes from './deliveries.module.css'
import { DeliveryStatus, Result } from './delivery-status.tsx'

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
  const { body, rows, totalHeight } = useVisibleRows({
    records: deliveries,
    height: ROW_HEIGHT,
    ahead: AHEAD,
    onEnd,
  })
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
        style={{ height: totalHeight }}
      >
        {rows.map(({ index, key, top }) => {
          const delivery = deliveries[index]
          return (
            delivery && (
              <li
                key={key}
                aria-posinset={index + 1}
                aria-setsize={hasMore ? -1 : deliveries.length}
                className={classes['item']}
                style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
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
        <p className={`${text['text']} ${text['line']}`}>
          <Link
            to="/projects/$pid/webhooks/$id/deliveries/$did"
            params={{ ...path, did: id }}
            className={classes['link']}
          >
            {w.webhooks.eventNames[event]}
          </Link>
        </p>
        <p className={`${text['small']} ${text['line']}`}>
          {kind === 'event' ? event : w.deliveries.kinds[kind]}
          <span className={text['narrow']}>
            {' · '}
            <Time at={created_at} />
          </span>
        </p>
      </div>
      <div>
        <DeliveryStatus status={status} />
      </div>
      <div className={classes['wide']}>
        <Result {...delivery} />
      </div>
      <div className={`${classes['wide']} ${classes['number']}`}>
        <p className={text['text']}>{attempts}</p>
      </div>
      <div className={classes['wide']}>
        <p className={text['text']}>
          <Time at={created_at} />
        </p>
      </div>
    </>
  )
})
