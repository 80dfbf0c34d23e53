import { parseJson } from '../../../engines/openai/read-error.ts'

/** The object that a model's text holds: alone, inside a fence, or among words; undefined where there is none. */
export function findObject(content: string): object | undefined {
  const text = withoutThoughts(content)
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1]
  const among = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, fenced ?? '', among]) {
    const found = parseJson(candidate)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found
  }
  return undefined
}

/** Some servers leave a model's thinking in, some of them without its opening tag. */
const withoutThoughts = (text: string): string =>
  text.replace(/<think>[\s\S]*?<\/think>/g, '').replace(/^[\s\S]*<\/think>/, '')
