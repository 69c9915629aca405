import { type Head, headOf } from '../shared/heads.ts'
import { SLOT } from './codes.ts'
import type { Wire } from './spelling.ts'

/** Reads which answer it is, of which model, and when it began; each piece of a stream says it again. */
export function decodeHead({ responseId: id, modelVersion: model, createTime: time }: Wire): Head {
  const dated = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined
  return headOf(SLOT, id, model, dated)
}
