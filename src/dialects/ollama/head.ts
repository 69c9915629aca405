import { digestText } from '../../wire/digest.ts'
import type { Json } from '../../wire/json.ts'
import { type Head, headOf } from '../shared/heads.ts'
import { SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

/** What an answer says of itself, in whatever form. */
type Said = Pick<Head, 'id' | 'model' | 'createdAt'>

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Times come up to nanoseconds, in any zone. */
function isTime(value: Json | undefined): value is string {
  return typeof value === 'string' && time.test(value) && !Number.isNaN(Date.parse(value))
}

/** Reads which model answered, and when. Answers have no id: model and time give one, the same each time. */
export function decodeHead({ model, created_at: createdAt }: Wire): Head {
  const head = headOf(SLOT, undefined, model, isTime(createdAt) ? createdAt : undefined)
  return headOf(SLOT, idOf(head), model, head.createdAt)
}

/** The id of an answer; none where it has no time. */
function idOf({ model, createdAt }: Said): string | undefined {
  if (createdAt === undefined) return undefined
  return `resp_${digestText(JSON.stringify([model ?? null, createdAt])).slice(0, 24)}`
}

/** Whether an id is lost with an answer: it is, unless reading the answer gives it again. */
export function losesId(head: Said): boolean {
  return head.id !== undefined && head.id !== idOf(head)
}
