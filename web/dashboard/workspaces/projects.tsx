import { Button, Card, Group, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ProjectList } from '../projects/project-list.tsx'
import { useWords } from '../words/words.tsx'

export function Projects({ workspaceId, mayCreate }: { workspaceId: string; mayCreate: boolean }): ReactNode {
  const w = useWords()
  const [isAdding, { open }] = useDisclosure()
  return (
    <Card withBorder component="section" aria-labelledby="projects">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="projects">
          {w.workspace.projects}
        </Title>
        {mayCreate && !isAdding && (
          <Button size="xs" variant="light" onClick={open}>
            {w.home.newProject}
          </Button>
        )}
      </Group>
      <ProjectList workspaceId={workspaceId} isAdding={isAdding} />
    </Card>
  )
}
