import { Alert, Card, Grid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import type { Schemas } from '../api/client.ts'
import { projectQuery } from '../projects/queries.ts'
import { useProjectCapabilities } from '../projects/use-capabilities.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { lengthInWords } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { Actions } from './actions.tsx'
import { EditDetails } from './details/details-form.tsx'
import { Facts } from './facts.tsx'
import { failureText } from './failure-text.ts'
import { type Playback, Player } from './player.tsx'
import { conversationQuery } from './queries.ts'
import { StatusBadge } from './rows.tsx'
import { Speakers } from './speakers.tsx'
import { Summary } from './summary.tsx'
import { Transcript } from './transcript.tsx'

type ConversationRecord = Schemas['ConversationInFull']

export function Conversation(): ReactNode {
  const w = useWords()
  const { pid, cid } = useParams({ from: '/projects/$pid/conversations/$cid' })
  const { data, error, refetch } = useQuery(conversationQuery(cid))
  const { data: project } = useQuery(projectQuery(pid))
  const may = useProjectCapabilities(pid)
  const playback = useRef<Playback>(null)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data || !may) return <Skeleton height={400} />
  const { record: conversation } = data
  const mayCorrect = may.has('conversation:update')
  const hasAudio = conversation.source !== 'portal_text'
  return (
    <Page
      title={conversation.title ?? conversation.participant_name ?? w.common.untitled}
      above={
        <TextLink to="/projects/$pid/conversations" params={{ pid }}>
          {w.conversations.title}
        </TextLink>
      }
      actions={
        <>
          <StatusBadge status={conversation.status} />
          {mayCorrect && <EditDetails conversation={data} tags={project?.record.tags ?? []} />}
          <Actions conversation={conversation} may={may} />
        </>
      }
    >
      <Trouble conversation={conversation} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {hasAudio && <Player conversation={conversation} ref={playback} />}
            <Transcript
              conversation={conversation}
              playback={playback}
              mayCorrect={mayCorrect}
              hasAudio={hasAudio}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Summary conversation={conversation} onSeek={(seconds) => playback.current?.playFrom(seconds)} />
            <Card withBorder>
              <Facts conversation={conversation} />
            </Card>
            {mayCorrect && <Speakers conversation={conversation} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** Failures and missing audio, said before anything else. */
function Trouble({
  conversation: { failure, duration_seconds, missing_seconds },
}: {
  conversation: ConversationRecord
}): ReactNode {
  const w = useWords()
  return (
    <>
      {failure && <Alert color="red">{failureText(failure, w)}</Alert>}
      {/* Of a recording that failed as a whole, the failure says it. */}
      {missing_seconds > 0 && (!failure || duration_seconds > 0) && (
        <Alert color="yellow">
          <Text size="sm">{w.conversation.missingTotal(lengthInWords(missing_seconds))}</Text>
        </Alert>
      )}
    </>
  )
}
