import { Accordion, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { bytes } from '../../usage/format.ts'
import { useWords } from '../../words/words.tsx'
import { CodeBlock, pretty } from '../guide/code-block.tsx'
import classes from './attempt.module.css'

/** How much of a response the API keeps. */
const KEPT_BYTES = 4 * 1024

type AttemptRecord = Schemas['Attempt']

interface Props {
  attempt: AttemptRecord
  /** The body of the request, if it is not shown elsewhere. */
  payload?: string | null
  /** Whether the response is shown without a click. */
  isOpen?: boolean
}

/** Timing by phase, request and response of one attempt. Bodies and headers are of strangers: shown as text. */
export function AttemptDetails({ attempt, payload, isOpen = false }: Props): ReactNode {
  const w = useWords()
  const { error, timings, address, secret_version, request_headers, answer_headers, answer_body } = attempt
  const isHidden = attempt.duration_ms === null
  return (
    <Stack gap="xs">
      {error && <Text size="sm">{w.deliveries.errors[error]}</Text>}
      {timings && attempt.duration_ms !== null && (
        <Phases timings={timings} total={attempt.duration_ms} hasResponse={attempt.status !== null} />
      )}
      <Text size="xs" c="dimmed">
        {secret_version === null ? w.deliveries.unsigned : w.deliveries.secretVersion(secret_version)}
        {address && ` · ${w.deliveries.address}: ${address}`}
      </Text>
      {isHidden && (
        <Text size="xs" c="dimmed">
          {w.deliveries.hidden}
        </Text>
      )}
      <Accordion multiple variant="contained" order={4} defaultValue={isOpen ? ['response'] : []}>
        <Accordion.Item value="request">
          <Accordion.Control>
            {payload === undefined ? w.deliveries.requestHeaders : w.deliveries.request}
          </Accordion.Control>
          <Accordion.Panel>
            <Headers headers={request_headers} />
            {payload && <CodeBlock label={w.deliveries.requestBody} text={pretty(payload)} />}
          </Accordion.Panel>
        </Accordion.Item>
        {!isHidden && (
          <Accordion.Item value="response">
            <Accordion.Control>{w.deliveries.response}</Accordion.Control>
            <Accordion.Panel>
              {answer_headers ? (
                <Headers headers={answer_headers} />
              ) : (
                <Text size="sm">{w.deliveries.noResponse}</Text>
              )}
              {answer_headers && !answer_body && <Text size="sm">{w.deliveries.emptyBody}</Text>}
              {answer_body && (
                <>
                  <CodeBlock label={w.deliveries.responseBody} text={pretty(answer_body)} />
                  <Text size="xs" c="dimmed" mt={4}>
                    {w.deliveries.responseBodyHelp(bytes(KEPT_BYTES))}
                  </Text>
                </>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        )}
      </Accordion>
    </Stack>
  )
}

function Headers({ headers }: { headers: Record<string, string> }): ReactNode {
  return (
    <table className={classes['headers']}>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PhasesProps {
  timings: NonNullable<AttemptRecord['timings']>
  total: number
  hasResponse: boolean
}

function Phases({ timings, total, hasResponse }: PhasesProps): ReactNode {
  const w = useWords()
  const { dns_ms, connect_ms, tls_ms, first_byte_ms } = timings
  const known = (dns_ms ?? 0) + (connect_ms ?? 0) + (tls_ms ?? 0) + (first_byte_ms ?? 0)
  const phases = [
    { name: 'dns' as const, ms: dns_ms },
    { name: 'connect' as const, ms: connect_ms },
    { name: 'tls' as const, ms: tls_ms },
    { name: 'wait' as const, ms: first_byte_ms },
    { name: 'rest' as const, ms: hasResponse ? Math.max(0, total - known) : null },
  ].flatMap(({ name, ms }) => (ms === null ? [] : [{ name, ms }]))
  return (
    <div>
      <div className={classes['phases']} aria-hidden>
        {phases.map(({ name, ms }) => (
          <div key={name} className={`${classes['phase']} ${classes[name]}`} style={{ flexGrow: ms }} />
        ))}
      </div>
      <Group gap="md" mt={6} style={{ rowGap: 2 }}>
        {phases.map(({ name, ms }) => (
          <Text key={name} size="xs">
            <span className={`${classes['swatch']} ${classes[name]}`} aria-hidden />
            {w.deliveries.phases[name]} {w.deliveries.duration(ms)}
          </Text>
        ))}
        {connect_ms === null && hasResponse && (
          <Text size="xs" c="dimmed">
            {w.deliveries.reused}
          </Text>
        )}
      </Group>
    </div>
  )
}
