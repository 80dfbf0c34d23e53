import { Anchor, Card, Group, Image, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { SmallLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'

export function RecordingLink({ project }: { project: Schemas['Project'] }): ReactNode {
  const w = useWords()
  return (
    <Card withBorder h="100%">
      <Title order={2}>{w.project.share}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {project.is_open ? w.project.linkHelp : w.project.closedHelp}
      </Text>
      <Stack>
        <CopyField label={w.project.link} value={project.recording_url} />
        <CopyField label={w.project.short} value={project.short_url} />
        <CopyField
          label={w.project.kiosk}
          help={w.project.kioskHelp}
          value={`${project.recording_url}?kiosk`}
        />
        <Anchor href={project.recording_url} target="_blank" rel="noopener">
          {w.project.openLink}
        </Anchor>
      </Stack>
    </Card>
  )
}

/** The code of the short link, which stays the same as long as the project. */
export const qrAddress = (projectId: string, kind: 'svg' | 'png'): string =>
  `/api/participant/projects/${projectId}/qr.${kind}`

export function QrCode({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  return (
    <Card withBorder h="100%">
      <Stack justify="center" h="100%">
        <Image
          src={qrAddress(projectId, 'svg')}
          alt={w.project.qr}
          w={260}
          h={260}
          mx="auto"
          bg="white"
          radius="md"
        />
        <Group gap="xs" justify="center">
          <Anchor href={qrAddress(projectId, 'svg')} download="recording-link.svg" size="sm">
            {w.project.downloadSvg}
          </Anchor>
          <Anchor href={qrAddress(projectId, 'png')} download="recording-link.png" size="sm">
            {w.project.downloadPng}
          </Anchor>
          <SmallLink to="/projects/$pid/poster" params={{ pid: projectId }}>
            {w.project.printSheet}
          </SmallLink>
        </Group>
      </Stack>
    </Card>
  )
}
