import type { Evidence } from '../types.ts'

export const evidence = (text: string, language: string | null = 'en'): Evidence => ({
  id: 'u',
  text,
  language,
  conversation: 'c',
  position: 0,
})
