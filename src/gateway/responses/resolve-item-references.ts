import { ProviderError } from '../../errors.ts'
import { isList, isObject, itemsOf, type Json } from '../../wire/json.ts'
import { createInvalidRequestError, type RequestBody } from '../read-request.ts'
import type { ResponseFormat } from './response-format.ts'
import type { ResponseStore } from './response-store.ts'

/**
 * Replaces the references to items of stored responses by these items: clients such as the AI SDK send ids instead of what the
 * model has answered. Only items of the same client are found.
 */
export async function resolveItemReferences(
  body: RequestBody,
  { dialect, outputField }: ResponseFormat,
  store: ResponseStore | undefined,
): Promise<RequestBody> {
  const { input } = body
  if (!isList(input) || !input.some((item) => readReference(item) !== undefined)) return body
  const known = new Map<string, Json>()
  const used = new Set<string>()
  const items: Json[] = []
  for (const item of input) {
    const id = readReference(item)
    // Otherwise a short request could refer to a long item any number of times.
    if (id !== undefined && used.has(id)) throwRepeatedItem(id)
    if (id !== undefined) used.add(id)
    if (id !== undefined && !known.has(id)) {
      const stored = await store?.findByItem(dialect, id)
      for (const each of itemsOf(stored?.body[outputField]))
        if (isObject(each) && typeof each['id'] === 'string') known.set(each['id'], each)
    }
    items.push(id === undefined ? item : (known.get(id) ?? throwUnknownItem(id)))
  }
  return { ...body, input: items }
}

function readReference(item: Json): string | undefined {
  return isObject(item) && item['type'] === 'item_reference' && typeof item['id'] === 'string'
    ? item['id']
    : undefined
}

function throwRepeatedItem(id: string): never {
  throw createInvalidRequestError(
    `Duplicate item found with id '${id.slice(0, 200)}': remove it from the input.`,
    'input',
  )
}

function throwUnknownItem(id: string): never {
  throw new ProviderError(`Item with id '${id.slice(0, 200)}' not found.`, {
    kind: 'not-found',
    status: 404,
    param: 'input',
  })
}
