import type { Language } from './language.ts'

export const pt: Language = {
  code: 'pt',
  injection: {
    imperatives: 'ignore|ignorem|esque[cç]am?|esquece',
    earlier: 'anterior\\p{L}*',
    instructions: 'instruções',
    subjects: 'não',
    determiners: 'todas|suas|as tuas',
    fillers: 'agora',
  },
}
