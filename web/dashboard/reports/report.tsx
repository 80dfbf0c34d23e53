import { Alert, Badge, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Schemas } from '../api/client.ts'
import { useProjectCapabilities } from '../projects/use-capabilities.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { Delete } from './delete-report.tsx'
import { Downloads } from './downloads.tsx'
import { ReportStatus } from './list.tsx'
import { Publishing } from './publishing.tsx'
import { reportQuery } from './queries.ts'
import classes from './report-text.module.css'
import { ReportText } from './report-text.tsx'
import { Versions } from './versions.tsx'

const FROM = '/projects/$pid/reports/$rid'
const Editor = lazy(() =>
  import('./editor/editor.tsx').then(({ Editor: component }) => ({ default: component })),
)

export function Report(): ReactNode {
  const w = useWords()
  const { pid, rid } = useParams({ from: FROM })
  const { version: opened, edit } = useSearch({ from: FROM })
  const { data: report, error, refetch } = useQuery(reportQuery(rid))
  const may = useProjectCapabilities(pid)
  if (error && !report) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!report || !may) return <Skeleton height={320} />
  const isReady = report.status === 'ready'
  const isEditing = isReady && edit === true && may.has('report:generate')
  return (
    <Page
      title={report.title ?? w.common.untitled}
      above={
        <span className={classes['screen']}>
          <TextLink to="/projects/$pid/reports" params={{ pid }}>
            {w.reports.title}
          </TextLink>
        </span>
      }
      actions={<Actions report={report} mayEdit={isReady && !isEditing && may.has('report:generate')} />}
    >
      {report.status === 'generating' && <Generating report={report} />}
      {report.status === 'failed' && <Alert color="red">{w.reports.failed}</Alert>}
      {isEditing && (
        <Suspense fallback={<Skeleton height={480} />}>
          <Editor report={report} />
        </Suspense>
      )}
      {isReady && !isEditing && (
        <>
          <Group justify="space-between">
            <Text>{w.reports.covers(report.conversation_count)}</Text>
            <Downloads report={report} />
          </Group>
          <EarlierNote report={report} version={opened} />
          <div className={classes['columns']}>
            <ReportText report={report} version={opened ?? report.version} />
            <Stack component="aside" className={classes['screen']}>
              {may.has('report:publish') && <Publishing report={report} />}
              <Versions report={report} opened={opened} mayRestore={may.has('report:generate')} />
              {may.has('report:delete') && <Delete report={report} />}
            </Stack>
          </div>
        </>
      )}
      {report.status === 'failed' && may.has('report:delete') && <Delete report={report} />}
    </Page>
  )
}

function Actions({ report, mayEdit }: { report: Schemas['Report']; mayEdit: boolean }): ReactNode {
  const w = useWords()
  const navigate = useNavigate({ from: FROM })
  return (
    <Group gap="xs" className={classes['screen']}>
      <ReportStatus status={report.status} />
      {report.published && <Badge variant="light">{w.reports.published}</Badge>}
      {mayEdit && (
        <Button size="xs" onClick={() => void navigate({ search: { edit: true } })}>
          {w.reports.edit}
        </Button>
      )}
    </Group>
  )
}

function Generating({ report }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const percent = Math.round(report.progress * 100)
  return (
    <div>
      <Progress value={percent} aria-label={w.reports.statuses.generating} animated />
      <Text size="sm" mt={6} role="status">
        {w.reports.progress(percent)}
      </Text>
    </div>
  )
}

/** Says that another version than the current one is open. */
function EarlierNote({
  report,
  version,
}: {
  report: Schemas['Report']
  version: number | undefined
}): ReactNode {
  const w = useWords()
  if (version === undefined || version === report.version) return null
  return (
    <Alert color="blue" className={classes['screen']}>
      <Group justify="space-between">
        {w.reports.earlier(version)}
        <TextLink to={FROM} params={{ pid: report.project_id, rid: report.id }} search={{}}>
          {w.reports.showCurrent}
        </TextLink>
      </Group>
    </Alert>
  )
}
