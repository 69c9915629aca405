import { isObject, type Json } from '../../wire/json.ts'
import { createPartialJson } from '../../wire/partial-json.ts'
import type { OutputFormat } from './format.ts'

/**
 * The output so far, as a chunk says it, with each piece of its JSON. Which nulls are meant, and which stand for a property that
 * a strict schema does not let the model leave out, is seen when it is whole: until then there are none.
 */
export function partialOutput({ wrapped }: OutputFormat): (piece: string) => { readonly output?: Json } {
  const partial = createPartialJson({ omitNulls: true })
  return (piece) => {
    partial.push(piece)
    const { value } = partial
    const output = wrapped && isObject(value) ? value['result'] : value
    return output === undefined ? {} : { output }
  }
}
