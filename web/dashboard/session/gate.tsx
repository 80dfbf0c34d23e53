import { Center, Loader, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { settings } from '../settings.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { forgetTab } from './draft.ts'
import { renewSession, useSessionExpired } from './expired.ts'
import { meQuery } from './me.ts'
import { SignIn } from './sign-in.tsx'

const ASK_AGAIN_MS = 3_000

const isRefused = (error: Error): boolean => error instanceof ApiProblem && error.status === 401

/** A page that was loaded while the identity store started does not know its address. */
function useIdentityStart(): void {
  useEffect(() => {
    if (settings.identity_url !== null) return
    const timer = setInterval(() => {
      fetch('/api/ready', { cache: 'no-store' })
        .then(async (response) => {
          const { degraded = [] } = (await response.json()) as { degraded?: string[] }
          if (response.ok && !degraded.includes('identity')) location.reload()
        })
        .catch(() => {})
    }, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
}

/** Shows the page to users who are signed in. If the session ends later, a dialog asks to sign in again, and the page keeps its state. */
export function Gate({ children }: { children: ReactNode }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const {
    data: me,
    error,
    refetch,
  } = useQuery({
    ...meQuery,
    // A service that is starting, and a network that comes back.
    refetchInterval: ({ state }) =>
      state.data === undefined && state.error && !isRefused(state.error) ? ASK_AGAIN_MS : false,
  })
  useIdentityStart()
  const isExpired = useSessionExpired()
  const resume = async () => {
    const before = me?.user.id
    renewSession()
    const { data: now } = await refetch()
    // Someone else's records must not stay on the screen.
    if (before !== undefined && now && now.user.id !== before) {
      forgetTab()
      location.assign('/')
    } else await client.invalidateQueries()
  }
  const onSignedIn = () => void resume()
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
  if (error && isRefused(error))
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
