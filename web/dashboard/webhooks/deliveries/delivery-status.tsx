import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import text from '../../ui/row-text.module.css'
import { useWords } from '../../words/words.tsx'

type Delivery = Schemas['Delivery']

const COLORS: Record<Delivery['status'], string> = {
  pending: 'blue',
  delivering: 'blue',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'gray',
  missed: 'orange',
}

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>): ReactNode {
  const w = useWords()
  return (
    <Badge variant="light" color={COLORS[status]}>
      {w.deliveries.statuses[status]}
    </Badge>
  )
}

/** The status code, or why there is none. */
export function Result({ last_status, last_error }: Pick<Delivery, 'last_status' | 'last_error'>): ReactNode {
  const w = useWords()
  if (last_status !== null) return <span className={text['code']}>{last_status}</span>
  return <span className={text['dimmed']}>{last_error ? w.deliveries.shortErrors[last_error] : '–'}</span>
}
