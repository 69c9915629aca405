import { ProviderError } from '../../errors.ts'
import { isList, isObject, itemsOf, type Json } from '../../wire/json.ts'
import type { RequestBody } from '../read-request.ts'
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
  const items: Json[] = []
  for (const item of input) {
    const id = readReference(item)
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

function throwUnknownItem(id: string): never {
  throw new ProviderError(`Item with id '${id.slice(0, 200)}' not found.`, {
    kind: 'not-found',
    status: 404,
    param: 'input',
  })
}
