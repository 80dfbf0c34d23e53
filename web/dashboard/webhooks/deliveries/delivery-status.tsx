import { Badge, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
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
  if (last_status !== null)
    return (
      <Text component="span" size="sm" ff="monospace">
        {last_status}
      </Text>
    )
  return (
    <Text component="span" size="sm" c="dimmed">
      {last_error ? w.deliveries.shortErrors[last_error] : '–'}
    </Text>
  )
}
