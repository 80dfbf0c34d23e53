import type { Language } from './language.ts'

export const zh: Language = {
  code: 'zh',
  injection: {
    imperatives: '忽略(?!了)|忽视(?!了)',
    earlier: '之前|以上|先前|所有',
    instructions: '指令|指示|提示',
  },
}
