import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { locale } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { bucketName, OUTCOMES } from './charts.tsx'
import { type Statistics, totalOf } from './statistics.ts'

/** The same figures for those who do not see charts, or want to copy them. */
export function ActivityTable({ statistics: { buckets, range } }: { statistics: Statistics }): ReactNode {
  const w = useWords()
  const milliseconds = (value: number | null): string => (value === null ? '–' : w.deliveries.duration(value))
  return (
    <Table.ScrollContainer minWidth={560} maxHeight={320}>
      <Table stickyHeader verticalSpacing={4} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{w.deliveries.from}</Table.Th>
            {OUTCOMES.map((outcome) => (
              <Table.Th key={outcome} ta="end">
                {w.deliveries.statuses[outcome]}
              </Table.Th>
            ))}
            <Table.Th ta="end">{w.deliveries.percentiles.p50}</Table.Th>
            <Table.Th ta="end">{w.deliveries.percentiles.p95}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {buckets.toReversed().map((bucket) => (
            <Table.Tr key={bucket.start} {...(totalOf(bucket) === 0 && { c: 'dimmed' })}>
              <Table.Td>{bucketName(bucket.start, range)}</Table.Td>
              {OUTCOMES.map((outcome) => (
                <Table.Td key={outcome} ta="end">
                  {bucket[outcome].toLocaleString(locale)}
                </Table.Td>
              ))}
              <Table.Td ta="end">{milliseconds(bucket.response_p50_ms)}</Table.Td>
              <Table.Td ta="end">{milliseconds(bucket.response_p95_ms)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
