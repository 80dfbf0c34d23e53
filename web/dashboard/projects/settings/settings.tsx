import { Grid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { PreviewStep } from '../../preview/messages.ts'
import { useWorkspaceAccess } from '../../session/access.ts'
import { meQuery } from '../../session/me.ts'
import { RouteProblem } from '../../shell/route-problem.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { TextLink } from '../../ui/page-link.tsx'
import { useWords } from '../../words/words.tsx'
import { changesQuery, projectQuery } from '../queries.ts'
import { accentColors } from './accent.ts'
import { LastChange, namesOf, whoOf } from './changes.tsx'
import { Conflict } from './conflict.tsx'
import { Consent } from './consent.tsx'
import { type Field, fieldsOf, type Project, type Values, without } from './draft.ts'
import { AskBeforeLeaving } from './leave.tsx'
import { Look } from './look.tsx'
import { Preview } from './preview.tsx'
import { Languages, Questions } from './questions.tsx'
import { Removal } from './removal.tsx'
import { Retention } from './retention.tsx'
import { Agreement, SaveBar } from './save-bar.tsx'
import { Conflict as ConflictError, type Saved } from './save-settings.ts'
import { Texts } from './texts.tsx'
import { useDraft } from './use-draft.ts'
import { NeedsAgreement, useSave } from './use-save.ts'

export function ProjectSettings(): ReactNode {
  const { projectSettings: words } = useWords()
  const { pid } = useParams({ from: '/projects/$pid/settings' })
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch } = useQuery(projectQuery(pid))
  const may = useWorkspaceAccess(data?.record.workspace_id)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data || !me) return <Skeleton height={480} />
  return (
    <Page
      title={words.title}
      above={
        <TextLink to="/projects/$pid" params={{ pid }}>
          <bdi>{data.record.name}</bdi>
        </TextLink>
      }
      isWide
    >
      {may.has('project:update') ? (
        <Editor key={pid} stored={data} userId={me.user.id} />
      ) : (
        <Empty title={words.title} help={words.readOnly} />
      )}
      {may.has('project:delete') && <Removal project={data.record} />}
    </Page>
  )
}

/** Why the values cannot be sent; the fields say it. */
const isIncomplete = ({ name, accent_color }: Values): boolean =>
  name.trim() === '' || (accent_color !== null && accentColors(accent_color) === null)

const focusFirstError = (): void => document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus()

const errorsOf = (error: Error | null): ReadonlyMap<string, string> =>
  new Map(
    error instanceof ApiProblem
      ? error.fields.map(({ path, message }) => [path.split('.')[0] ?? path, message])
      : [],
  )

function Editor({ stored, userId }: { stored: Versioned<Project>; userId: string }): ReactNode {
  const draft = useDraft(stored, userId)
  const { base, changes, values } = draft
  const [step, setStep] = useState<PreviewStep>('welcome')
  const save = useSave(draft)
  const saved = useSavedText(stored.record.id, save.data)
  const { error } = save
  const errors = errorsOf(error)
  useEffect(() => {
    if (errorsOf(error).size > 0) focusFirstError()
  }, [error])
  const section = { values, set: draft.set, errors, onStep: setStep }
  const submit = (agreed = 0) => {
    if (isIncomplete(values)) focusFirstError()
    else if (fieldsOf(changes).length > 0) save.mutate({ base, changes, agreed })
  }
  const choose = ({ current }: ConflictError, theirs: Field[]) => {
    const rest = without(changes, theirs)
    draft.replace(current, rest)
    if (fieldsOf(rest).length > 0) save.mutate({ base: current, changes: rest, agreed: 0 })
    else save.reset()
  }
  const isExpected = error instanceof NeedsAgreement || error instanceof ConflictError || errors.size > 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
          <Stack gap="lg">
            <LastChange projectId={stored.record.id} />
            <Texts {...section} />
            <Look {...section} project={stored.record} onLogo={draft.rebase} />
            <Questions {...section} />
            <Languages {...section} />
            <Consent {...section} projectId={stored.record.id} />
            <Retention {...section} projectId={stored.record.id} />
            {error instanceof ConflictError && (
              <Conflict
                conflict={error}
                mine={changes}
                isPending={save.isPending}
                onChoice={(theirs) => choose(error, theirs)}
              />
            )}
          </Stack>
          <SaveBar
            draft={draft}
            isPending={save.isPending}
            isBlocked={error instanceof ConflictError}
            error={isExpected ? null : error}
            saved={saved}
            onDiscard={() => {
              draft.discard()
              save.reset()
            }}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
          <Preview project={stored.record} values={values} step={step} onStep={setStep} />
        </Grid.Col>
      </Grid>
      <Agreement
        needed={error instanceof NeedsAgreement ? error : null}
        onAgree={submit}
        onCancel={() => save.reset()}
      />
      <AskBeforeLeaving changes={changes} discard={draft.discard} />
    </form>
  )
}

/** Names what others changed in the meantime. */
function useSavedText(projectId: string, saved: Saved | undefined): string | null {
  const w = useWords()
  const { data } = useQuery(changesQuery(projectId))
  if (!saved) return null
  const { beside } = saved
  if (beside.length === 0) return w.projectSettings.saved
  const change = data?.data.find(({ fields }) => beside.some((field) => fields.includes(field)))
  const who = change ? whoOf(change, w) : w.projectSettings.someone
  return w.projectSettings.savedBeside(who, namesOf(beside, w))
}
