import { Button, Card, Grid, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import classes from './poster.module.css'
import { portalQuery, projectQuery } from './queries.ts'
import { qrAddress } from './recording-link.tsx'

/** One A4 page for a wall. Only the sheet is printed. */
export function Poster(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: '/projects/$pid/poster' })
  const { data, error, refetch } = useQuery(projectQuery(pid))
  const [lines, setLines] = useState<[string, string]>([w.poster.firstLine, w.poster.secondLine])
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={480} />
  return (
    <Page
      title={w.poster.title}
      above={
        <TextLink to="/projects/$pid" params={{ pid }}>
          <bdi>{data.record.name}</bdi>
        </TextLink>
      }
      actions={<Button onClick={() => print()}>{w.poster.print}</Button>}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4 }} className={classes['form']}>
          <Card withBorder>
            <Stack>
              <Text size="sm" c="dimmed">
                {w.poster.help}
              </Text>
              <Textarea
                label={w.poster.first}
                value={lines[0]}
                maxLength={120}
                autosize
                onChange={({ currentTarget }) => setLines([currentTarget.value, lines[1]])}
              />
              <Textarea
                label={w.poster.second}
                value={lines[1]}
                maxLength={120}
                autosize
                onChange={({ currentTarget }) => setLines([lines[0], currentTarget.value])}
              />
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }} className={classes['column']}>
          <Sheet project={data.record} lines={lines} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** Black on white in both themes: that is how it is printed. */
function Sheet({ project, lines }: { project: Schemas['Project']; lines: string[] }): ReactNode {
  const w = useWords()
  const { data: portal } = useQuery(portalQuery(project.id))
  return (
    <article className={classes['sheet']} aria-label={w.poster.title}>
      <div>
        {project.logo_url ? (
          <img className={classes['logo']} src={project.logo_url} alt={portal?.organisation ?? ''} />
        ) : (
          <p className={classes['organisation']} dir="auto">
            {portal?.organisation}
          </p>
        )}
        <p className={classes['title']} dir="auto">
          {project.title ?? project.name}
        </p>
      </div>
      <img className={classes['code']} src={qrAddress(project.id, 'svg')} alt={w.project.qr} />
      <div>
        <p className={classes['link']}>{project.short_url.replace(/^https?:\/\//, '')}</p>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines that never change places.
          <p key={index} className={classes['line']} dir="auto">
            {line}
          </p>
        ))}
      </div>
    </article>
  )
}
