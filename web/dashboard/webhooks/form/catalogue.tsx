import { Card, Skeleton, Table, Tabs, Text, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Unreachable } from '../../api/problem.ts'
import { RouteProblem } from '../../shell/route-problem.tsx'
import { Breakable } from '../../ui/breakable.tsx'
import { Page } from '../../ui/page.tsx'
import { TextLink } from '../../ui/page-link.tsx'
import { useWords } from '../../words/words.tsx'
import { CodeBlock } from '../guide/code-block.tsx'
import { type Field, fieldsOf, type Schema } from '../guide/schema-fields.ts'

interface EventDocument {
  post: { requestBody: { content: { 'application/json': { schema: Schema; example: unknown } } } }
}

/** The public document, which describes all events. It has no account, so that it is the same for everyone. */
const catalogueQuery = queryOptions({
  queryKey: ['events'],
  queryFn: async ({ signal }) => {
    const response = await fetch('/api/openapi.json', { signal })
    if (!response.ok) throw new Unreachable()
    return ((await response.json()) as { webhooks: Record<string, EventDocument> }).webhooks
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Every event with its meaning, an example and its schema. */
export function Catalogue(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: '/projects/$pid/webhooks/events' })
  const { data, error, refetch } = useQuery(catalogueQuery)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  return (
    <Page
      title={w.catalogue.title}
      above={
        <TextLink to="/projects/$pid/webhooks" params={{ pid }}>
          {w.webhooks.title}
        </TextLink>
      }
    >
      <Text size="sm" c="dimmed" mt="-md">
        {w.catalogue.intro}
      </Text>
      {!data && <Skeleton height={480} />}
      {Object.entries(data ?? {}).map(([type, { post }]) => (
        <Event key={type} type={type} {...post.requestBody.content['application/json']} />
      ))}
    </Page>
  )
}

function Event({ type, schema, example }: { type: string; schema: Schema; example: unknown }): ReactNode {
  const w = useWords()
  return (
    <Card withBorder component="section" aria-labelledby={type}>
      <Title order={2} id={type} ff="monospace">
        {type}
      </Title>
      <Text size="sm" mb="sm">
        {w.catalogue.meanings[type]}
      </Text>
      <Tabs defaultValue="fields" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="fields">{w.catalogue.fields}</Tabs.Tab>
          <Tabs.Tab value="example">{w.guide.example}</Tabs.Tab>
          <Tabs.Tab value="schema">{w.guide.schema}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields">
          <Fields fields={fieldsOf(schema)} />
        </Tabs.Panel>
        <Tabs.Panel value="example">
          <CodeBlock label={w.guide.example} text={JSON.stringify(example, null, 2)} />
        </Tabs.Panel>
        <Tabs.Panel value="schema">
          <CodeBlock label={w.guide.schema} text={JSON.stringify(schema, null, 2)} />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

function Fields({ fields }: { fields: Field[] }): ReactNode {
  const w = useWords()
  return (
    <Table layout="fixed" verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{w.catalogue.field}</Table.Th>
          <Table.Th w={{ base: 130, sm: 200 }}>{w.catalogue.type}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map(({ path, type, isOptional, description }) => (
          <Table.Tr key={path}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <code>{path}</code>
              {description && (
                <Text size="xs" c="dimmed">
                  <WithCode text={description} />
                </Text>
              )}
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Breakable text={type} />
              {isOptional && (
                <Text size="xs" c="dimmed">
                  {w.catalogue.optional}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Descriptions have names between backticks, as Markdown. */
const WithCode = ({ text }: { text: string }): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))
