import { Center, Loader, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { forgetTab } from './draft.ts'
import { renewSession, useSessionExpired } from './expired.ts'
import { meQuery } from './me.ts'
import { SignIn } from './sign-in.tsx'

/** Shows the page to users who are signed in. If the session ends later, a dialog asks to sign in again, and the page keeps its state. */
export function Gate({ children }: { children: ReactNode }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { data: me, error, refetch } = useQuery(meQuery)
  const isExpired = useSessionExpired()
  const goOn = async () => {
    const before = me?.user.id
    renewSession()
    const { data: now } = await refetch()
    // Someone else's records must not stay on the screen.
    if (before !== undefined && now && now.user.id !== before) {
      forgetTab()
      location.assign('/')
    } else await client.invalidateQueries()
  }
  const onSignedIn = () => void goOn()
  if (me)
    return (
      <>
        {children}
        <Modal opened={isExpired} onClose={() => {}} title={w.session.again} withCloseButton={false}>
          <Text size="sm" mb="md">
            {w.session.againHelp}
          </Text>
          <SignIn onDone={onSignedIn} />
        </Modal>
      </>
    )
  if (error instanceof ApiProblem && error.status === 401)
    return (
      <Center mih="100dvh" p="md" component="main">
        <Paper withBorder p="xl" w="100%" maw={400}>
          <Stack>
            <Title order={1}>{w.session.title}</Title>
            <SignIn onDone={onSignedIn} />
          </Stack>
        </Paper>
      </Center>
    )
  return (
    <Center mih="100dvh" p="md">
      {error ? (
        <ProblemNote error={error} retry={() => void refetch()} />
      ) : (
        <Loader aria-label={w.common.loading} />
      )}
    </Center>
  )
}
