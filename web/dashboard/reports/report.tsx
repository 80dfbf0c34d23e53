import {
  Alert,
  Badge,
  Button,
  Card,
  Checkbox,
  Group,
  Progress,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { projectQuery } from '../projects/queries.ts'
import { useCapabilities } from '../session/me.ts'
import { settings } from '../settings.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { ReportStatus } from './list.tsx'
import { reportQuery } from './queries.ts'
import { ReportText } from './report-text.tsx'

const FORMATS = ['html', 'md', 'pdf'] as const

export function Report(): ReactNode {
  const w = useWords()
  const { pid, rid } = useParams({ from: '/projects/$pid/reports/$rid' })
  const { data: report, error, refetch } = useQuery(reportQuery(rid))
  const { data: project } = useQuery(projectQuery(pid))
  const may = useCapabilities(project?.record.workspace_id)
  if (error && !report) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!report) return <Skeleton height={320} />
  return (
    <Page
      title={report.title ?? w.common.untitled}
      above={
        <TextLink to="/projects/$pid/reports" params={{ pid }}>
          {w.reports.title}
        </TextLink>
      }
      actions={
        <>
          <ReportStatus status={report.status} />
          {report.published && <Badge variant="light">{w.reports.published}</Badge>}
        </>
      }
    >
      {report.status === 'generating' && (
        <div>
          <Progress value={report.progress * 100} aria-label={w.reports.statuses.generating} animated />
          <Text size="sm" mt={6} role="status">
            {w.reports.progress(Math.round(report.progress * 100))}
          </Text>
        </div>
      )}
      {report.status === 'failed' && <Alert color="orange">{w.reports.failed}</Alert>}
      {report.status === 'ready' && <Downloads report={report} />}
      {report.status === 'ready' && <ReportText report={report} />}
      {report.status === 'ready' && may.has('report:publish') && <Publishing report={report} />}
    </Page>
  )
}

function Downloads({ report: { id, conversation_count } }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const address = (format: string): string => `/api/v2/reports/${id}?format=${format}`
  return (
    <Group justify="space-between">
      <Text>{w.reports.covers(conversation_count)}</Text>
      <Group gap="xs">
        <Button
          component="a"
          size="xs"
          variant="default"
          href={address('html')}
          target="_blank"
          rel="noopener"
        >
          {w.reports.open}
        </Button>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" c="dimmed" id="download">
            {w.reports.download}
          </Text>
          {FORMATS.map((format) => (
            <Button
              key={format}
              component="a"
              size="xs"
              variant="default"
              href={address(format)}
              download={`report.${format}`}
              aria-describedby="download"
            >
              {w.reports.formats[format]}
            </Button>
          ))}
        </Group>
      </Group>
    </Group>
  )
}

function Publishing({ report }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { id, published, redact_names, project_id } = report
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['UpdateReportRequest']) =>
      dataOf(api.PATCH('/api/v2/reports/{rid}', { params: { path: { rid: id } }, body })),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['reports', id] }),
        client.invalidateQueries({ queryKey: ['projects', project_id, 'reports'] }),
      ]),
  })
  return (
    <Card withBorder component="section" aria-labelledby="publishing">
      <Title order={2} id="publishing">
        {w.reports.publish}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {w.reports.publishHelp}
      </Text>
      <Stack align="start">
        <Checkbox
          label={w.reports.redact}
          checked={redact_names}
          disabled={isPending}
          onChange={({ currentTarget }) => mutate({ redact_names: currentTarget.checked })}
        />
        {published && <CopyField label={w.reports.publicLink} value={`${settings.public_url}/r/${id}`} />}
        {error && <ProblemNote error={error} />}
        <Button
          variant={published ? 'default' : 'filled'}
          loading={isPending}
          onClick={() => mutate({ published: !published })}
        >
          {published ? w.reports.unpublish : w.reports.publish}
        </Button>
      </Stack>
    </Card>
  )
}
