import { Button, Card, Group, NavLink, Skeleton, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { myWorkspacesQuery } from '../session/me.ts'
import { CreateByName } from '../ui/create-by-name.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { Empty } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { TierBadge } from '../workspaces/tier.tsx'
import { workspacesQuery } from './queries.ts'

type Entry = Pick<Schemas['Workspace'], 'id' | 'name' | 'tier'>

export function AllWorkspaces(props: { organisationId: string; mayCreate: boolean }): ReactNode {
  const { organisationId, mayCreate } = props
  const w = useWords()
  const [isAdding, { open }] = useDisclosure()
  const list = useInfiniteQuery(workspacesQuery(organisationId))
  const { data, error, refetch } = list
  const all = data?.pages.flatMap((page) => page.data)
  return (
    <Card withBorder component="section" aria-labelledby="workspaces">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="workspaces">
          {w.organisation.workspaces}
        </Title>
        {mayCreate && !isAdding && (
          <Button size="xs" variant="light" onClick={open}>
            {w.organisation.newWorkspace}
          </Button>
        )}
      </Group>
      {isAdding && <NewWorkspace organisationId={organisationId} />}
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!all && !error && <Skeleton height={120} />}
      {all?.length === 0 && !isAdding && (
        <Empty title={w.organisation.noWorkspaces} help={w.organisation.noWorkspacesHelp} />
      )}
      {all && <Entries all={all} />}
      <MoreButton list={list} />
    </Card>
  )
}

/** For members of the organisation, who see only the workspaces in which they have a role. */
export function MyWorkspaces({ organisationId }: { organisationId: string }): ReactNode {
  const w = useWords()
  const { data, error, refetch } = useQuery(myWorkspacesQuery)
  const all = data?.filter(({ organisation_id }) => organisation_id === organisationId)
  return (
    <Card withBorder component="section" aria-labelledby="workspaces">
      <Title order={2} id="workspaces" mb="xs">
        {w.organisation.yourWorkspaces}
      </Title>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {all?.length === 0 && (
        <Empty title={w.organisation.noneOfYours} help={w.organisation.noneOfYoursHelp} />
      )}
      {all && <Entries all={all} />}
    </Card>
  )
}

function Entries({ all }: { all: Entry[] }): ReactNode {
  const w = useWords()
  const { data: mine } = useQuery(myWorkspacesQuery)
  return (
    <Stack gap={0}>
      {all.map(({ id, name, tier }) => {
        const role = mine?.find((one) => one.id === id)?.role
        return (
          <NavLink
            key={id}
            component={Link}
            to="/workspaces/$wid"
            params={{ wid: id } as never}
            label={<bdi>{name}</bdi>}
            description={role ? w.members.roles[role] : mine && w.organisation.noRole}
            rightSection={<TierBadge tier={tier} />}
          />
        )
      })}
    </Stack>
  )
}

function NewWorkspace({ organisationId }: { organisationId: string }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (name: string) =>
      dataOf(
        api.POST('/api/v2/organisations/{oid}/workspaces', {
          params: { path: { oid: organisationId } },
          body: { name },
        }),
      ),
    onSuccess: async ({ id }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['me'] }),
        client.invalidateQueries({ queryKey: ['organisations', organisationId] }),
      ])
      await navigate({ to: '/workspaces/$wid', params: { wid: id } })
    },
  })
  return (
    <CreateByName
      label={w.organisation.workspaceName}
      isPending={isPending}
      error={error}
      onCreate={mutate}
    />
  )
}
