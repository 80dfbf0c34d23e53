import { Alert, Button, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { isProblem } from '../../api/problem.ts'
import { useDraft } from '../../session/draft.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useWords } from '../../words/words.tsx'
import { documentQuery } from '../queries.ts'
import { useReportChange } from '../use-change.ts'
import { type Draft, draftOf, editOf, newSection } from './draft.ts'
import classes from './editor.module.css'
import { Sections } from './sections.tsx'

/** Edits the text of a report. Unsaved changes stay in this tab until they are saved or discarded. */
export function Editor({ report }: { report: Schemas['Report'] }): ReactNode {
  const [draft, setDraft] = useDraft<Draft>(`report ${report.id}`)
  const { data: base, error, refetch } = useQuery(documentQuery(report.id, draft?.version ?? report.version))
  if (error && !base) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!base) return <Skeleton height={480} />
  return <Form report={report} base={base} draft={draft} setDraft={setDraft} />
}

interface Props {
  report: Schemas['Report']
  /** The version that is edited. */
  base: Schemas['ReportDocument']
  /** Null before the first change. */
  draft: Draft | null
  setDraft: (draft: Draft | null) => void
}

function Form({ report, base, draft: changed, setDraft }: Props): ReactNode {
  const w = useWords()
  const navigate = useNavigate({ from: '/projects/$pid/reports/$rid' })
  const draft = changed ?? draftOf(base, report.method)
  const path = { rid: report.id }
  const save = useReportChange(report, async (mode: 'save' | 'over') => {
    // On top of someone else's version: both stay in the list of versions.
    const version =
      mode === 'save'
        ? draft.version
        : (
            await dataOf(
              api.POST('/api/v2/reports/{rid}/restore', {
                params: { path },
                body: { version: draft.version },
              }),
            )
          ).version
    return dataOf(
      api.PUT('/api/v2/reports/{rid}/document', { params: { path }, body: editOf(draft, version) }),
    )
  })
  const leave = () => void navigate({ search: {}, replace: true })
  const submit = (mode: 'save' | 'over') =>
    save.mutate(mode, {
      onSuccess: () => {
        setDraft(null)
        leave()
      },
    })
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        submit('save')
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {w.reportEditor.help}
        </Text>
        <TextInput
          label={w.reports.name}
          value={draft.title}
          onChange={({ currentTarget }) => set({ title: currentTarget.value })}
          required
          maxLength={300}
          dir="auto"
        />
        <Textarea
          label={w.reportEditor.introduction}
          description={w.reportEditor.introductionHelp}
          value={draft.introduction}
          onChange={({ currentTarget }) => set({ introduction: currentTarget.value })}
          autosize
          minRows={2}
          dir="auto"
        />
        <Sections
          base={base}
          method={report.method}
          sections={draft.sections}
          onChange={(sections) => set({ sections })}
        />
        <div>
          <Button variant="default" onClick={() => set({ sections: [...draft.sections, newSection()] })}>
            {w.reportEditor.addSection}
          </Button>
        </div>
      </Stack>
      <div className={classes['bar']}>
        {isProblem(save.error, 'precondition_failed') ? (
          <Conflict onSave={() => submit('over')} isPending={save.isPending} />
        ) : (
          save.error && <ProblemNote error={save.error} />
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {changed === null ? w.reportEditor.noChanges : w.reportEditor.kept}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => {
                setDraft(null)
                leave()
              }}
            >
              {changed === null ? w.common.cancel : w.reportEditor.discard}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={changed === null}>
              {w.reportEditor.save}
            </Button>
          </Group>
        </Group>
      </div>
    </form>
  )
}

/** Someone else has saved a newer version. Nothing is lost: each save is a separate version. */
function Conflict({ onSave, isPending }: { onSave: () => void; isPending: boolean }): ReactNode {
  const w = useWords()
  return (
    <Alert color="yellow" title={w.reportEditor.conflict} role="alert" mb="xs">
      <Text size="sm">{w.reportEditor.conflictHelp}</Text>
      <Button mt="xs" size="xs" variant="default" loading={isPending} onClick={onSave}>
        {w.reportEditor.saveOver}
      </Button>
    </Alert>
  )
}
