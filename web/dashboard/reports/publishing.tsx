import { Button, Card, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { settings } from '../settings.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { useReportChange } from './use-change.ts'

/** Everyone reads the version that was published, until the next one is published. */
export function Publishing({ report }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const { id, published, redact_names, version, published_version } = report
  const { mutate, isPending, error } = useReportChange(report, (body: Schemas['UpdateReportRequest']) =>
    dataOf(api.PATCH('/api/v2/reports/{rid}', { params: { path: { rid: id } }, body })),
  )
  const page = `${settings.public_url}/r/${id}`
  const isBehind = published_version !== null && published_version !== version
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
        {published && <CopyField label={w.reports.publicLink} value={page} />}
        {isBehind && (
          <Text size="sm" role="status">
            {w.reports.behind(published_version, version)}
          </Text>
        )}
        {error && <ProblemNote error={error} />}
        <Group gap="xs">
          {(!published || isBehind) && (
            <Button loading={isPending} onClick={() => mutate({ published: true })}>
              {isBehind ? w.reports.publishVersion(version) : w.reports.publish}
            </Button>
          )}
          {published && (
            <>
              <Button component="a" variant="default" href={page} target="_blank" rel="noopener">
                {w.reports.openPublic}
              </Button>
              <Button variant="default" loading={isPending} onClick={() => mutate({ published: false })}>
                {w.reports.unpublish}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Card>
  )
}
