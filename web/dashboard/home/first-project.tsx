import { Button, Card, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { api, dataOf } from '../api/client.ts'
import { onSubmit } from '../ui/form.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

const NAMES = ['organisation', 'workspace', 'project'] as const

/** The ids of the records that a failed attempt created: the next attempt resumes there. */
interface Created {
  organisation?: string
  workspace?: string
}

/** Onboarding form for a new user: asks for three names, then opens the project with its recording link. */
export function FirstProject(): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const created = useRef<Created>({})
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (names: { organisation: string; workspace: string; project: string }) => {
      const done = created.current
      done.organisation ??= (
        await dataOf(api.POST('/api/v2/organisations', { body: { name: names.organisation } }))
      ).id
      done.workspace ??= (
        await dataOf(
          api.POST('/api/v2/organisations/{oid}/workspaces', {
            params: { path: { oid: done.organisation } },
            body: { name: names.workspace },
          }),
        )
      ).id
      return dataOf(
        api.POST('/api/v2/workspaces/{wid}/projects', {
          params: { path: { wid: done.workspace } },
          body: { name: names.project },
        }),
      )
    },
    onSuccess: async ({ id }) => {
      await navigate({ to: '/projects/$pid', params: { pid: id } })
      await client.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const submit = onSubmit((field) =>
    mutate({
      organisation: field('organisation').trim(),
      workspace: field('workspace').trim(),
      project: field('project').trim(),
    }),
  )
  return (
    <Card withBorder maw={520} component="section" aria-labelledby="first-project">
      <Title order={2} id="first-project">
        {w.start.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {w.start.help}
      </Text>
      <form onSubmit={submit}>
        <Stack>
          {NAMES.map((name) => (
            <TextInput
              key={name}
              name={name}
              label={w.start[name]}
              description={w.start[`${name}Help`]}
              required
              maxLength={200}
            />
          ))}
          {error && <ProblemNote error={error} />}
          <Button type="submit" loading={isPending}>
            {w.start.go}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
