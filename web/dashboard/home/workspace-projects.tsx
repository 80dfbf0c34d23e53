import { Button, Card, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ProjectList } from '../projects/project-list.tsx'
import type { Me } from '../session/me.ts'
import { QuietLink, TitleLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  workspace: Me['workspaces'][number]
  /** Its name, if the user has a role in it. */
  organisation: string | undefined
}

export function WorkspaceProjects({ workspace, organisation }: Props): ReactNode {
  const w = useWords()
  const [isAdding, { open }] = useDisclosure()
  const mayCreate = workspace.capabilities.includes('project:create')
  return (
    <Card withBorder component="section" aria-label={workspace.name}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2}>
            <TitleLink to="/workspaces/$wid" params={{ wid: workspace.id }}>
              <bdi>{workspace.name}</bdi>
            </TitleLink>
          </Title>
          {organisation && (
            <QuietLink to="/organisations/$oid" params={{ oid: workspace.organisation_id }}>
              <bdi>{organisation}</bdi>
            </QuietLink>
          )}
        </div>
        {mayCreate && !isAdding && (
          <Button size="xs" variant="light" onClick={open}>
            {w.home.newProject}
          </Button>
        )}
      </Group>
      {workspace.capabilities.includes('project:read') ? (
        <ProjectList workspaceId={workspace.id} isAdding={isAdding} />
      ) : (
        <Text size="sm" c="dimmed">
          {w.workspace.noProjects}
        </Text>
      )}
    </Card>
  )
}
