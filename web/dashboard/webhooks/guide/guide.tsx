import {
  Accordion,
  Button,
  Card,
  CopyButton,
  Group,
  Skeleton,
  Stack,
  Table,
  Tabs,
  Text,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useWords } from '../../words/words.tsx'
import { guideQuery, type WebhookPath } from '../queries.ts'
import { CodeBlock } from './code-block.tsx'

type Copyable = Schemas['Copyable']

const LANGUAGES = ['node', 'python', 'curl'] as const

/** How to write a receiver: code that runs, the signature, the headers and every event with its schema. */
export function Guide({ path }: { path: WebhookPath }): ReactNode {
  const w = useWords()
  const { data, error, refetch } = useQuery(guideQuery(path))
  if (error && !data) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={400} />
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {w.guide.intro}
        </Text>
        <CopyButton value={data.markdown}>
          {({ copied, copy }) => (
            <Button size="xs" variant="light" onClick={copy} aria-live="polite">
              {copied ? w.common.copied : w.guide.copyAll}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Section id="receiver" title={w.guide.receiver}>
        <Tabs defaultValue="node" keepMounted={false}>
          <Tabs.List mb="sm">
            {LANGUAGES.map((language) => (
              <Tabs.Tab key={language} value={language}>
                {w.guide.languages[language]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {LANGUAGES.map((language) => (
            <Tabs.Panel key={language} value={language}>
              <CodeBlock label={w.guide.languages[language]} text={data.receivers[language]} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Section>
      <Section id="signature" title={w.guide.signature}>
        <Text size="sm">{data.signature}</Text>
      </Section>
      <Section id="headers" title={w.guide.headers}>
        <Headers headers={data.headers} />
      </Section>
      <Section id="events" title={w.guide.events}>
        <Events events={data.events} />
      </Section>
    </Stack>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <Card withBorder component="section" aria-labelledby={id}>
      <Title order={2} id={id} mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  )
}

function Headers({ headers }: { headers: Copyable['headers'] }): ReactNode {
  const w = useWords()
  return (
    <Table layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={{ base: 130, sm: 260 }}>{w.guide.header}</Table.Th>
          <Table.Th>{w.guide.meaning}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(headers).map(([name, meaning]) => (
          <Table.Tr key={name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <code>{name}</code>
            </Table.Td>
            <Table.Td>{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Events({ events }: { events: Copyable['events'] }): ReactNode {
  const w = useWords()
  return (
    <Accordion variant="contained" order={3}>
      {events.map(({ type, example, schema }) => (
        <Accordion.Item key={type} value={type}>
          <Accordion.Control>
            <Text size="sm" fw={550}>
              {w.webhooks.eventNames[type]}
            </Text>
            <Text size="xs" c="dimmed" ff="monospace">
              {type}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Tabs defaultValue="example" keepMounted={false}>
              <Tabs.List mb="sm">
                <Tabs.Tab value="example">{w.guide.example}</Tabs.Tab>
                <Tabs.Tab value="schema">{w.guide.schema}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="example">
                <CodeBlock label={w.guide.example} text={JSON.stringify(example, null, 2)} />
              </Tabs.Panel>
              <Tabs.Panel value="schema">
                <CodeBlock label={w.guide.schema} text={JSON.stringify(schema, null, 2)} />
              </Tabs.Panel>
            </Tabs>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
