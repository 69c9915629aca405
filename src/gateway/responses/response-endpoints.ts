import type { Dialect } from '../../dialects/engine/dialect.ts'
import { itemsOf, type JsonObject } from '../../wire/json.ts'
import { createInvalidRequestError } from '../read-request.ts'
import type { BackgroundResponses } from './background-responses.ts'
import { replayStream } from './replay-stream.ts'
import { createUnknownResponseError, RESPONSE_FORMATS } from './response-format.ts'
import type { ResponseRoute } from './response-routes.ts'
import type { ResponseStore, StoredResponse } from './response-store.ts'

/** A request about a stored response. */
export interface ResponseCall {
  readonly route: ResponseRoute
  readonly dialect: Dialect
  readonly query: URLSearchParams
  /** Absent if the gateway has no storage. */
  readonly store: ResponseStore | undefined
  readonly runs: BackgroundResponses
}

/** Returns a stored response: its body, or its events from the start or after one of them. */
export async function getResponse(call: ResponseCall): Promise<Response> {
  const { route, query, dialect, runs } = call
  const { store, stored } = await findStored(call)
  const format = RESPONSE_FORMATS[route.dialect]
  if (query.get('stream') === 'true') {
    const after = Number(query.get(format.eventNumber.parameter) ?? -1)
    const first = Number.isSafeInteger(after) ? after + 1 : 0
    const live = runs.createStream(stored.id, first, format)
    // The events of a replay have other numbers than those that the client has received while they were generated.
    if (live === undefined && stored.isBackground && first > 0)
      throw createInvalidRequestError(
        'The events are no longer stored; read all of them.',
        format.eventNumber.parameter,
      )
    return live ?? replayStream(dialect, format, stored, first)
  }
  const includesInput = route.dialect === 'gemini-interactions' && query.get('include_input') === 'true'
  return Response.json(includesInput ? await addInput(call, store, stored) : stored.body)
}

/** Deletes a response. A running one is stopped. */
export async function deleteResponse(call: ResponseCall): Promise<Response> {
  const { store, stored } = await findStored(call)
  await call.runs.stop(store, stored)
  await store.remove(stored.id)
  if (call.route.dialect !== 'openai-responses') return Response.json({})
  return Response.json({ id: stored.id, object: 'response', deleted: true })
}

/** Cancels a background response. One that has finished stays as it is. */
export async function cancelResponse(call: ResponseCall): Promise<Response> {
  const { store, stored } = await findStored(call)
  const format = RESPONSE_FORMATS[call.route.dialect]
  const isRunning = format.unfinishedStatuses.has(stored.body['status'])
  if (!isRunning && !(stored.isBackground && stored.dialect === 'openai-responses'))
    throw createInvalidRequestError(`Only background ${format.noun}s can be cancelled.`)
  if (!isRunning) return Response.json(stored.body)
  const body = { ...stored.body, status: 'cancelled' }
  await call.runs.stop(store, stored)
  await store.finish({ ...stored, body }, undefined)
  return Response.json(body)
}

const DEFAULT_PAGE_ITEMS = 20
const MAX_PAGE_ITEMS = 100

/** Lists the items that the model received for a response: those of earlier turns, too. */
export async function listInputItems(call: ResponseCall): Promise<Response> {
  const { store, stored } = await findStored(call)
  const items = (await readInputItems(call, store, stored)).map(toListedItem)
  const order = call.query.get('order') === 'asc' ? items : items.toReversed()
  const limit = Number(call.query.get('limit') ?? DEFAULT_PAGE_ITEMS)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_ITEMS)
    throw createInvalidRequestError(`\`limit\` must be a number from 1 to ${MAX_PAGE_ITEMS}.`, 'limit')
  const after = call.query.get('after')
  const start = after === null ? 0 : order.findIndex(({ id }) => id === after) + 1
  if (after !== null && start === 0)
    throw createInvalidRequestError('`after` is no item of the response.', 'after')
  const data = order.slice(start, start + limit)
  return Response.json({
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + limit < order.length,
  })
}

async function findStored({
  route,
  store,
  runs,
}: ResponseCall): Promise<{ readonly store: ResponseStore; readonly stored: StoredResponse }> {
  const format = RESPONSE_FORMATS[route.dialect]
  const stored = await store?.find(format.dialect, route.id)
  if (store === undefined || stored === undefined) throw createUnknownResponseError(format, route.id)
  return { store, stored: await runs.checkAlive(store, stored, format) }
}

/** Returns the items of the input. */
async function readInputItems(
  { dialect }: ResponseCall,
  store: ResponseStore,
  { id, hasOutput }: StoredResponse,
): Promise<readonly JsonObject[]> {
  const messages = await store.readMessages(id)
  const input = hasOutput ? messages.slice(0, -1) : messages
  return input.flatMap((message) => dialect.encodeMessage(message).value)
}

/** Returns an item as the list contains it: with an id, and its text as a part. */
function toListedItem(item: JsonObject, index: number): JsonObject {
  const { content, role } = item
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return {
    id: `item_${index}`,
    type: 'message',
    ...item,
    ...(typeof content === 'string' && { content: [{ type, text: content }] }),
  }
}

/** Adds the steps of the input before those of the answer. */
async function addInput(
  call: ResponseCall,
  store: ResponseStore,
  stored: StoredResponse,
): Promise<JsonObject> {
  const { outputField } = RESPONSE_FORMATS[call.route.dialect]
  const input = await readInputItems(call, store, stored)
  return { ...stored.body, [outputField]: [...input, ...itemsOf(stored.body[outputField])] }
}
