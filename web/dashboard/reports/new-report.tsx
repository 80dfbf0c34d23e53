import { Button, Card, Group, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { onSubmit } from '../ui/form.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { ConversationPicker } from './conversation-picker.tsx'

/** Languages in which the fixed texts of a report exist. */
const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it'] as const
const nameIn = (language: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language

interface Props {
  projectId: string
  onCancel: () => void
}

export function NewReport({ projectId, onCancel }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['CreateReportRequest']) =>
      dataOf(api.POST('/api/v2/projects/{pid}/reports', { params: { path: { pid: projectId } }, body })),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['projects', projectId, 'reports'] })
      await navigate({ to: '/projects/$pid/reports/$rid', params: { pid: projectId, rid: id } })
    },
  })
  const submit = onSubmit((field) =>
    mutate({
      title: field('title').trim() || null,
      instructions: field('instructions').trim() || null,
      language: field('language') || null,
      conversation_ids: chosen ? [...chosen] : null,
    }),
  )
  return (
    <Card withBorder maw={720} component="section" aria-label={w.reports.create}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="title"
            label={w.reports.name}
            description={w.reports.nameHelp}
            maxLength={200}
            autoFocus
          />
          <Textarea
            name="instructions"
            label={w.reports.instructions}
            description={w.reports.instructionsHelp}
            autosize
            minRows={2}
          />
          <NativeSelect
            name="language"
            label={w.reports.language}
            data={[
              { value: '', label: w.reports.projectLanguage },
              ...LANGUAGES.map((value) => ({ value, label: nameIn(value) })),
            ]}
            maw={320}
          />
          <Radio.Group
            label={w.reports.which}
            value={chosen ? 'some' : 'all'}
            onChange={(value) => setChosen(value === 'some' ? new Set() : null)}
          >
            <Stack gap="xs" mt={6}>
              <Radio value="all" label={w.reports.all} />
              <Radio value="some" label={w.reports.choose} />
            </Stack>
          </Radio.Group>
          {chosen && <ConversationPicker projectId={projectId} chosen={chosen} onChange={setChosen} />}
          {error && <ProblemNote error={error} />}
          <Group justify="end" gap="xs">
            <Button variant="default" onClick={onCancel}>
              {w.common.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={chosen?.size === 0}>
              {w.reports.generate}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
