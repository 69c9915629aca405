import type { JsonObject } from '../../wire/json.ts'
import { dateOf, type Head, headOf } from '../shared/heads.ts'
import { SLOT } from './codes.ts'

/** Reads which answer it is, of which model, and when it began. */
export function decodeHead({ id, model, created }: JsonObject): Head {
  return headOf(SLOT, id, model, dateOf(created))
}
