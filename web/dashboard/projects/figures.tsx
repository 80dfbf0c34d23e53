import { Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { QuietLink } from '../ui/page-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { duration } from '../usage/format.ts'
import { locale } from '../words/language.ts'
import { useWords } from '../words/words.tsx'
import { DayChart } from './day-chart.tsx'
import classes from './figures.module.css'
import { statisticsQuery } from './queries.ts'

type Statistics = Schemas['ProjectStatistics']

/** How much was said, by how many, and on which days. */
export function Figures({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  const { data, error, refetch } = useQuery(statisticsQuery(projectId))
  return (
    <Card withBorder component="section" aria-labelledby="figures">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="figures">
          {w.project.figures.title}
        </Title>
        {data && <Now projectId={projectId} statistics={data} />}
      </Group>
      {error && !data && <ProblemNote error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton h={{ base: 262, sm: 150 }} />}
      {data && (
        <div className={classes['figures']}>
          <Totals statistics={data} />
          <DayChart days={data.days} />
        </div>
      )}
    </Card>
  )
}

function Totals({ statistics }: { statistics: Statistics }): ReactNode {
  const { figures } = useWords().project
  const { conversations, audio_seconds, participants, finished_today } = statistics
  const shown: [label: string, value: string, help?: string][] = [
    [figures.conversations, conversations.toLocaleString(locale)],
    [figures.hours, duration(audio_seconds, 'narrow')],
    [figures.participants, participants.toLocaleString(locale), figures.participantsHelp],
    [figures.today, finished_today.toLocaleString(locale)],
  ]
  return (
    <dl className={classes['totals']}>
      {shown.map(([label, value, help]) => (
        <div key={label} title={help}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Counts of recordings, conversations in progress and failures, with links to their lists. */
function Now({ projectId, statistics }: { projectId: string; statistics: Statistics }): ReactNode {
  const { figures } = useWords().project
  const { recording, processing, failed } = statistics
  const params = { pid: projectId }
  return (
    <Group gap="md">
      {recording > 0 && (
        <QuietLink to="/projects/$pid/conversations" params={params} search={{ status: 'recording' }}>
          {figures.recording(recording)}
        </QuietLink>
      )}
      {processing > 0 && (
        <Text size="sm" c="dimmed">
          {figures.processing(processing)}
        </Text>
      )}
      {failed > 0 && (
        <QuietLink to="/projects/$pid/conversations" params={params} search={{ status: 'failed' }}>
          {figures.failed(failed)}
        </QuietLink>
      )}
    </Group>
  )
}
