import { Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isProblem } from '../api/problem.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { Actions, type Dialog } from './actions.tsx'
import { Deliveries } from './deliveries/deliveries.tsx'
import { Guide } from './guide/guide.tsx'
import { HealthBadge, HealthNotes, titleOf } from './health.tsx'
import { webhookQuery } from './queries.ts'
import { ReplayProgress } from './replay-progress.tsx'
import { TABS, type WebhookSearch } from './search.ts'
import { Settings } from './settings.tsx'
import { Activity } from './statistics/activity.tsx'
import { TierNote } from './tier-note.tsx'

const FROM = '/projects/$pid/webhooks/$id'

export function Webhook(): ReactNode {
  const w = useWords()
  const path = useParams({ from: FROM })
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const { data, error, refetch } = useQuery(webhookQuery(path))
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const tab = search.tab ?? 'deliveries'
  const [hasOpenedSettings, setHasOpenedSettings] = useState(false)
  if (tab === 'settings' && !hasOpenedSettings) setHasOpenedSettings(true)
  if (isProblem(error, 'tier_required')) return <TierNote projectId={path.pid} />
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={400} />
  const { record: webhook } = data
  const show = (changed: Partial<WebhookSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const { replay: replayId, ...others } = search
  return (
    <Page
      title={titleOf(webhook)}
      above={
        <TextLink to="/projects/$pid/webhooks" params={{ pid: path.pid }}>
          {w.webhooks.title}
        </TextLink>
      }
      actions={
        <>
          <HealthBadge health={webhook.health} />
          <Actions
            webhook={webhook}
            dialog={dialog}
            onDialog={setDialog}
            onReplay={(replay) => show({ replay })}
          />
        </>
      }
    >
      <Text size="sm" c="dimmed" mt="-md" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
        {webhook.url}
      </Text>
      <HealthNotes webhook={webhook} onReplay={() => setDialog('replay')} />
      {replayId && (
        <ReplayProgress
          path={path}
          replayId={replayId}
          onHide={() => void navigate({ search: others, replace: true })}
        />
      )}
      <Tabs
        value={tab}
        onChange={(chosen) => show({ tab: TABS.find((one) => one === chosen) ?? 'deliveries' })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {w.webhooks.tabs[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <Stack gap="lg">
            <Activity path={path} range={search.range ?? '24h'} onRange={(range) => show({ range })} />
            <Deliveries path={path} search={search} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="guide">
          <Guide path={path} />
        </Tabs.Panel>
        {/* Stays rendered once it was opened, so that unsaved changes are kept. */}
        <Tabs.Panel value="settings" keepMounted>
          {hasOpenedSettings && <Settings webhook={data} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
