import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { SelectFilter } from '../ui/filter-fields.tsx'
import { RowLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { JOB_KINDS, JOB_STATES, readJobFilters } from './filters.ts'
import { jobsQuery } from './queries.ts'
import { RetryJob } from './retry-job.tsx'
import classes from './staff.module.css'
import { StaffList } from './staff-list.tsx'
import { StaffPage } from './staff-page.tsx'

type Job = Schemas['Job']
const FROM = '/staff/jobs'

const COLORS: Record<Job['state'], string> = {
  waiting: 'blue',
  running: 'blue',
  done: 'gray',
  failed: 'orange',
  cancelled: 'gray',
}

export function StaffJobs(): ReactNode {
  const w = useWords()
  const [retrying, setRetrying] = useState<Job | null>(null)
  const filters = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const set = (changed: Record<string, unknown>) =>
    void navigate({ search: readJobFilters({ ...filters, ...changed }), replace: true })
  return (
    <StaffPage title={w.staff.jobs}>
      <Group gap="xs">
        <SelectFilter
          label={w.staff.jobState}
          any={w.staff.anyState}
          value={filters.state}
          onChange={(state) => set({ state })}
          data={JOB_STATES.map((value) => ({ value, label: w.staff.states[value] }))}
          w={150}
        />
        <SelectFilter
          label={w.staff.jobKind}
          any={w.staff.anyKind}
          value={filters.kind}
          onChange={(kind) => set({ kind })}
          data={JOB_KINDS.map((value) => ({ value, label: w.staff.kinds[value] }))}
          w={170}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {w.staff.jobsHelp}
      </Text>
      <StaffList list={useInfiniteQuery(jobsQuery(filters))} isFiltered={Object.keys(filters).length > 0}>
        {(all) => <Rows all={all} onRetry={setRetrying} />}
      </StaffList>
      {retrying && <RetryJob job={retrying} onClose={() => setRetrying(null)} />}
    </StaffPage>
  )
}

function Rows({ all, onRetry }: { all: Job[]; onRetry: (job: Job) => void }): ReactNode {
  const w = useWords()
  const { columns } = w.staff
  return (
    <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.job}</Table.Th>
          <Table.Th w={120}>{columns.state}</Table.Th>
          <Table.Th w={165} visibleFrom="sm">
            {columns.created}
          </Table.Th>
          <Table.Th w={165} visibleFrom="sm">
            {columns.finished}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {all.map((job) => (
          <Table.Tr key={job.id}>
            <Table.Td className={classes['text']}>
              <JobName job={job} />
              {job.project_name && (
                <Text size="sm" c="dimmed">
                  <bdi>{job.project_name}</bdi>
                </Text>
              )}
              {job.failure && (
                <Text size="sm" c="dimmed">
                  {w.staff.failureCodes[job.failure] ?? w.staff.failure(job.failure)}
                </Text>
              )}
              {job.retries > 0 && (
                <Text size="sm" c="dimmed">
                  {w.staff.retries(job.retries)}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Badge variant={job.state === 'done' ? 'outline' : 'light'} color={COLORS[job.state]}>
                {w.staff.states[job.state]}
              </Badge>
              {job.state === 'failed' && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => onRetry(job)}
                  aria-label={w.staff.retryTitle(w.staff.kinds[job.kind])}
                >
                  {w.staff.retry}
                </Button>
              )}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Time at={job.created_at} />
            </Table.Td>
            <Table.Td visibleFrom="sm">{job.finished_at ? <Time at={job.finished_at} /> : '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Links to the record on which the job works; erased ones have no page. */
function JobName({ job: { kind, project_id: pid, target_id, total } }: { job: Job }): ReactNode {
  const w = useWords()
  const name = w.staff.kinds[kind]
  if (!pid || !target_id || kind === 'erase') return name
  if (kind === 'replay')
    return (
      <RowLink to="/projects/$pid/webhooks/$id" params={{ pid, id: target_id }}>
        {name} · {w.staff.items(total)}
      </RowLink>
    )
  return kind === 'report' ? (
    <RowLink to="/projects/$pid/reports/$rid" params={{ pid, rid: target_id }}>
      {name}
    </RowLink>
  ) : (
    <RowLink to="/projects/$pid/conversations/$cid" params={{ pid, cid: target_id }}>
      {name}
    </RowLink>
  )
}
