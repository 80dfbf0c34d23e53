import { Badge, Button, Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { meQuery } from '../session/me.ts'
import { MoreButton } from '../ui/more-button.tsx'
import { RowLink } from '../ui/page-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { versionsQuery } from './queries.ts'
import classes from './report-text.module.css'
import { useReportChange } from './use-change.ts'

interface Props {
  report: Schemas['Report']
  /** The version that is open; the current one if it is undefined. */
  opened: number | undefined
  mayRestore: boolean
}

/** The generated version and every edit of it. Each can be opened and restored. */
export function Versions({ report, opened = report.version, mayRestore }: Props): ReactNode {
  const w = useWords()
  const { id } = report
  const navigate = useNavigate({ from: '/projects/$pid/reports/$rid' })
  const list = useInfiniteQuery(versionsQuery(id))
  const restore = useReportChange(report, (version: number) =>
    dataOf(api.POST('/api/v2/reports/{rid}/restore', { params: { path: { rid: id } }, body: { version } })),
  )
  const all = list.data?.pages.flatMap((page) => page.data)
  const onRestore = (version: number) =>
    restore.mutate(version, { onSuccess: () => void navigate({ search: {}, replace: true }) })
  return (
    <Card withBorder component="section" aria-labelledby="versions">
      <Title order={2} id="versions" mb="xs">
        {w.reports.versions}
      </Title>
      {list.error && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {restore.error && <ProblemNote error={restore.error} />}
      {!all && !list.error && <Skeleton height={80} />}
      {all?.length === 1 && (
        <Text size="sm" c="dimmed">
          {w.reports.oneVersion}
        </Text>
      )}
      {all && all.length > 1 && (
        <ul className={classes['versions']}>
          {all.map((version) => (
            <Row
              key={version.number}
              report={report}
              version={version}
              isOpen={version.number === opened}
              {...(mayRestore && !version.current && { onRestore: () => onRestore(version.number) })}
              isPending={restore.isPending}
            />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </Card>
  )
}

interface RowProps {
  report: Schemas['Report']
  version: Schemas['ReportVersion']
  isOpen: boolean
  isPending: boolean
  onRestore?: () => void
}

function Row({ report, version, isOpen, isPending, onRestore }: RowProps): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  const { number, created_at, created_by, current, published } = version
  return (
    <li className={classes['version']} {...(isOpen && { 'aria-current': 'true' })}>
      <div>
        <Group gap={6}>
          <RowLink
            to="/projects/$pid/reports/$rid"
            params={{ pid: report.project_id, rid: report.id }}
            search={current ? {} : { version: number }}
          >
            {w.reports.version(number)}
          </RowLink>
          {current && (
            <Badge size="sm" variant="outline" color="gray">
              {w.reports.current}
            </Badge>
          )}
          {published && (
            <Badge size="sm" variant="light">
              {w.reports.published}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {originOf(version, created_by === me?.user.id, w.reports)} · <Time at={created_at} />
        </Text>
      </div>
      {onRestore && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          onClick={onRestore}
          aria-label={w.reports.restoreVersion(number)}
        >
          {w.reports.restore}
        </Button>
      )}
    </li>
  )
}

interface OriginWords {
  origins: Record<'generated' | 'edited' | 'editedByYou', string>
  restoredFrom(version: number): string
}

function originOf(
  { origin, restored_from }: Schemas['ReportVersion'],
  isMine: boolean,
  words: OriginWords,
): string {
  if (origin === 'restored') return words.restoredFrom(restored_from ?? 1)
  if (origin === 'generated') return words.origins.generated
  return isMine ? words.origins.editedByYou : words.origins.edited
}
