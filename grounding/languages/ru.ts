import type { Language } from './language.ts'

export const ru: Language = {
  code: 'ru',
  injection: {
    imperatives: 'игнорируй(?:те)?|забудь(?:те)?',
    earlier: 'все|предыдущ\\p{L}*',
    instructions: 'инструкци\\p{L}*|указани\\p{L}*',
    subjects: 'не',
  },
}
