import type { Language } from './language.ts'

export const lb: Language = { code: 'lb', capitalizesNouns: true }
