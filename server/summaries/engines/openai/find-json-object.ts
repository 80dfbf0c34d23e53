import { parseJson } from '../../../engines/openai/read-error.ts'

/** The JSON object in a model's text: alone, in a code fence, or within other text; undefined if there is none. */
export function findObject(content: string): object | undefined {
  const text = withoutReasoning(content)
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1]
  const within = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, fenced ?? '', within]) {
    const found = parseJson(candidate)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found
  }
  return undefined
}

/** Some servers leave a model's reasoning in, some of them without its opening tag. */
const withoutReasoning = (text: string): string =>
  text.replace(/<think>[\s\S]*?<\/think>/g, '').replace(/^[\s\S]*<\/think>/, '')
