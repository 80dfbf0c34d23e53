import { Button, Card, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { locale } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { statisticsQuery, type WebhookPath } from '../queries.ts'
import { RANGES, type WebhookSearch } from '../search.ts'
import classes from './activity.module.css'
import { ActivityTable } from './activity-table.tsx'
import { OutcomeChart, ResponseTimeChart } from './charts.tsx'
import { type Statistics, totalOf } from './statistics.ts'

type Range = NonNullable<WebhookSearch['range']>

const MAX_COUNTED = 100_000

/** Deliveries that still wait count: 100 % beside a webhook whose every attempt fails would be no help. */
function deliveredShare({ succeeded, failed, missed, pending }: Statistics['total']): string {
  const due = succeeded + failed + missed + pending
  if (due === 0) return '–'
  // Rounded down: 99.99 % is not everything.
  return (Math.floor((succeeded / due) * 1000) / 1000).toLocaleString(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
}

interface Props {
  path: WebhookPath
  range: Range
  onRange: (range: Range) => void
}

/** Outcomes and response times over a day or a month. */
export function Activity({ path, range, onRange }: Props): ReactNode {
  const w = useWords()
  const { data, error, refetch } = useQuery(statisticsQuery(path, range))
  const [isTable, table] = useDisclosure()
  return (
    <Card withBorder component="section" aria-labelledby="activity">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="activity">
          {w.deliveries.activity}
        </Title>
        <Group gap="xs">
          <Button size="xs" variant="subtle" onClick={table.toggle}>
            {isTable ? w.deliveries.asChart : w.deliveries.asTable}
          </Button>
          <SegmentedControl
            size="xs"
            aria-label={w.deliveries.activity}
            value={range}
            onChange={(value) => onRange(RANGES.find((one) => one === value) ?? '24h')}
            data={RANGES.map((value) => ({ value, label: w.deliveries.ranges[value] }))}
          />
        </Group>
      </Group>
      {error && !data && <ProblemNote error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={190} />}
      {data && (
        <Stack gap="md">
          <Totals total={data.total} />
          {isTable ? (
            <ActivityTable statistics={data} />
          ) : (
            <div className={classes['charts']}>
              <OutcomeChart
                statistics={data}
                label={w.deliveries.chart(
                  totalOf(data.total),
                  deliveredShare(data.total),
                  w.deliveries.ranges[data.range],
                )}
              />
              <ResponseTimeChart statistics={data} />
            </div>
          )}
          {!data.complete && (
            <Text size="xs" c="dimmed">
              {w.deliveries.newestOnly(MAX_COUNTED)}
            </Text>
          )}
        </Stack>
      )}
    </Card>
  )
}

function Totals({ total }: { total: Statistics['total'] }): ReactNode {
  const w = useWords()
  const { response_p50_ms, response_p95_ms } = total
  const figures: [label: string, value: string][] = [
    [w.deliveries.successRate, deliveredShare(total)],
    [w.deliveries.total, totalOf(total).toLocaleString(locale)],
    [w.deliveries.undelivered, (total.failed + total.missed).toLocaleString(locale)],
    ...(total.pending === 0
      ? []
      : ([[w.deliveries.statuses.pending, total.pending.toLocaleString(locale)]] as [string, string][])),
    ...(response_p50_ms === null
      ? []
      : ([[w.deliveries.medianResponse, w.deliveries.duration(response_p50_ms)]] as [string, string][])),
    ...(response_p95_ms === null
      ? []
      : ([[w.deliveries.mostWithin, w.deliveries.duration(response_p95_ms)]] as [string, string][])),
  ]
  return (
    <dl className={classes['totals']}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
