import type { JsonObject } from '../../wire/json.ts'
import { type Head, headOf } from '../shared/heads.ts'
import { SLOT } from './codes.ts'

/** Reads which answer it is, and of which model; it has no date. */
export function decodeHead({ id, model }: JsonObject): Head {
  return headOf(SLOT, id, model)
}
