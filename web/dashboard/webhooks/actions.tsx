import { Button, Menu, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { Confirm } from './confirm.tsx'
import { webhookKey, webhooksKey } from './queries.ts'
import { NewReplay } from './replay.tsx'
import { TestDelivery } from './test-delivery.tsx'

interface Props {
  webhook: Schemas['Webhook']
  dialog: Dialog | null
  onDialog: (dialog: Dialog | null) => void
  onReplay: (replayId: string) => void
}

export type Dialog = 'test' | 'replay' | 'disable' | 'remove'

export function Actions({ webhook, dialog, onDialog: setDialog, onReplay }: Props): ReactNode {
  const w = useWords()
  const close = () => setDialog(null)
  const enable = useEnabled(webhook, close)
  const remove = useRemove(webhook)
  const titles: Record<Dialog, string> = {
    test: w.webhooks.test,
    replay: w.webhooks.replay,
    disable: w.webhooks.disableTitle,
    remove: w.webhooks.removeTitle,
  }
  return (
    <>
      {webhook.enabled || webhook.health.disabled_reason === 'staff' ? null : (
        <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate(true)}>
          {w.webhooks.enable}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setDialog('test')}>
        {w.webhooks.test}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            {w.webhooks.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('replay')}>{w.webhooks.replay}</Menu.Item>
          {webhook.enabled && (
            <Menu.Item onClick={() => setDialog('disable')}>{w.webhooks.disable}</Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setDialog('remove')}>
            {w.webhooks.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {enable.error && dialog === null && <ProblemNote error={enable.error} />}
      <Modal
        opened={dialog !== null}
        onClose={close}
        title={dialog && titles[dialog]}
        size={dialog === 'test' ? 'xl' : 'md'}
      >
        {dialog === 'test' && <TestDelivery webhook={webhook} />}
        {dialog === 'replay' && (
          <NewReplay
            webhook={webhook}
            onStarted={(id) => {
              onReplay(id)
              close()
            }}
          />
        )}
        {dialog === 'disable' && (
          <Confirm
            help={w.webhooks.disableHelp}
            action={w.webhooks.disable}
            isPending={enable.isPending}
            error={enable.error}
            onConfirm={() => enable.mutate(false)}
            onCancel={close}
          />
        )}
        {dialog === 'remove' && (
          <Confirm
            help={w.webhooks.removeHelp}
            action={w.webhooks.removeConfirm}
            isPending={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onCancel={close}
          />
        )}
      </Modal>
    </>
  )
}

function useEnabled({ id, project_id: pid }: Schemas['Webhook'], onSuccess: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) =>
      dataOf(
        api.PATCH('/api/projects/{pid}/webhooks/{id}', { params: { path: { pid, id } }, body: { enabled } }),
      ),
    onSuccess,
    onSettled: () => client.invalidateQueries({ queryKey: webhooksKey(pid) }),
  })
}

function useRemove({ id, project_id: pid }: Schemas['Webhook']) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/api/projects/{pid}/webhooks/{id}', { params: { path: { pid, id } } })),
    onSuccess: async () => {
      await navigate({ to: '/projects/$pid/webhooks', params: { pid } })
      client.removeQueries({ queryKey: webhookKey({ pid, id }) })
      await client.invalidateQueries({ queryKey: webhooksKey(pid) })
    },
  })
}
