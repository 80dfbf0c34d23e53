import { Badge, Button, Group, Skeleton, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { projectQuery } from '../projects/queries.ts'
import { useCapabilities } from '../session/me.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { RowLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { NewReport } from './new-report.tsx'
import { reportsQuery } from './queries.ts'

export function Reports(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: '/projects/$pid/reports' })
  const [isAdding, { open, close }] = useDisclosure()
  const { data: project } = useQuery(projectQuery(pid))
  const may = useCapabilities(project?.record.workspace_id)
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(reportsQuery(pid))
  const all = data?.pages.flatMap((page) => page.data)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  return (
    <Page
      title={w.reports.title}
      actions={
        may.has('report:generate') &&
        !isAdding &&
        all?.length !== 0 && <Button onClick={open}>{w.reports.create}</Button>
      }
    >
      {isAdding && <NewReport projectId={pid} onCancel={close} />}
      {!all && <Skeleton height={240} />}
      {all?.length === 0 && !isAdding && (
        <Empty title={w.reports.none} help={w.reports.noneHelp}>
          {may.has('report:generate') && <Button onClick={open}>{w.reports.create}</Button>}
        </Empty>
      )}
      {all && all.length > 0 && <Rows reports={all} />}
      {hasNextPage && (
        <Button variant="default" onClick={() => void fetchNextPage()}>
          {w.common.more}
        </Button>
      )}
    </Page>
  )
}

function Rows({ reports }: { reports: Schemas['Report'][] }): ReactNode {
  const w = useWords()
  const { columns } = w.reports
  return (
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.report}</Table.Th>
          <Table.Th>{columns.status}</Table.Th>
          <Table.Th ta="end" visibleFrom="sm">
            {columns.conversations}
          </Table.Th>
          <Table.Th visibleFrom="sm">{columns.created}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {reports.map(({ id, project_id, title, status, published, conversation_count, created_at }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <RowLink to="/projects/$pid/reports/$rid" params={{ pid: project_id, rid: id }}>
                <bdi>{title ?? w.common.untitled}</bdi>
              </RowLink>
            </Table.Td>
            <Table.Td>
              <Group gap={6}>
                <ReportStatus status={status} />
                {published && <Badge variant="light">{w.reports.published}</Badge>}
              </Group>
            </Table.Td>
            <Table.Td ta="end" visibleFrom="sm">
              {conversation_count}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Time at={created_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const COLORS = { scheduled: 'gray', generating: 'blue', ready: 'gray', failed: 'red' }

export function ReportStatus({ status }: { status: Schemas['Report']['status'] }): ReactNode {
  const w = useWords()
  return (
    <Badge variant={status === 'ready' ? 'outline' : 'light'} color={COLORS[status]}>
      {w.reports.statuses[status]}
    </Badge>
  )
}
