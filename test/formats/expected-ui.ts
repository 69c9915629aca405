import type { UIMessage } from 'ai'
import {
  type AssistantMessage,
  type Json,
  type Part,
  text,
  textOf,
  type ToolMessage,
  type ToolResultPart,
} from 'interlingua'

/** The visible content of a message, as far as both sides have it. */
export type Seen = { [key: string]: unknown }

/** The SDK's reader adds a step only when something follows. */
function withoutLastSteps(seen: readonly Seen[]): Seen[] {
  const last = seen.findLastIndex(({ type }) => type !== 'step-start')
  return seen.slice(0, last + 1)
}

/** Returns what the parts of a UI message show. */
export function seenIn(message: UIMessage | undefined): Seen[] {
  const seen = (message?.parts ?? []).map((part) => {
    const any = part as unknown as Seen
    if (part.type === 'text' || part.type === 'reasoning')
      return { type: part.type, text: part.text, state: part.state }
    if (part.type === 'source-url') return { type: part.type, url: part.url, title: part.title }
    if (part.type === 'source-document') return { type: part.type }
    if (part.type === 'file') return { type: part.type, url: part.url }
    if (part.type === 'step-start') return { type: part.type }
    const { type, toolCallId, state, input, rawInput, output, errorText, providerExecuted } = any
    return { type, toolCallId, state, input, rawInput, output, errorText, providerExecuted }
  })
  return withoutLastSteps(seen)
}

/** Removes the keys that the SDK's reader rejects. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, item]) =>
      key !== '__proto__' &&
      !(
        key === 'constructor' &&
        typeof item === 'object' &&
        item !== null &&
        Object.hasOwn(item as object, 'prototype')
      ),
  )
  return Object.fromEntries(kept.map(([key, item]) => [key, clean(item)]))
}

function outputOf({ content }: ToolResultPart): Json {
  const known = content.filter(({ type }) => type !== 'opaque')
  const [only] = known
  if (known.length === 1 && only?.type === 'text') return only.text
  if (known.length === 1 && only?.type === 'json') return only.value
  const hidden = new Set(['extra', 'metadata', 'cache', 'signature'])
  const plain = known.map((part) => {
    const entries = Object.entries(part).filter(([key]) => !hidden.has(key))
    const shown = Object.fromEntries(entries)
    if (part.type === 'text' && part.citations !== undefined)
      shown['citations'] = part.citations.map((citation) =>
        citation.type === 'opaque'
          ? citation
          : Object.fromEntries(Object.entries(citation).filter(([key]) => key !== 'extra')),
      )
    return shown
  })
  return plain
}

/** Returns what a user must see of a run: one step for each response, everything in its order. */
export function expectedOf(turns: readonly { message?: AssistantMessage; results?: ToolMessage }[]): Seen[] {
  const seen: Seen[] = []
  const calls: { id: string; own: string; shown: Seen; answered: boolean }[] = []
  const answer = (result: ToolResultPart, provided: boolean): void => {
    const same = calls.filter(({ id }) => id === result.callId)
    const call = same.find(({ answered }) => !answered) ?? same.at(-1)
    if (call === undefined) return
    call.answered = true
    const output = outputOf(result)
    const { rawInput, ...before } = call.shown
    delete before['output']
    delete before['errorText']
    Object.assign(call.shown, { rawInput: undefined, output: undefined, errorText: undefined }, before)
    if (provided) call.shown['providerExecuted'] = true
    if (result.isError) {
      const errorText = typeof output === 'string' ? output : JSON.stringify(output)
      Object.assign(call.shown, { state: 'output-error', errorText, rawInput })
    } else Object.assign(call.shown, { state: 'output-available', output: clean(output) })
  }
  for (const { message, results } of turns) {
    seen.push({ type: 'step-start' })
    for (const part of message?.content ?? []) {
      if (part.type === 'tool-result') answer(part, true)
      else if (part.type === 'tool-call') {
        const used = new Set(calls.map(({ own }) => own))
        let own = part.id
        for (let count = 2; used.has(own); count++) own = `${part.id}-${count}`
        const failed = part.invalidArguments !== undefined
        const shown: Seen = {
          type: `tool-${part.name}`,
          toolCallId: own,
          state: failed ? 'output-error' : 'input-available',
          input: failed ? undefined : clean(part.arguments),
          rawInput: part.invalidArguments,
          output: undefined,
          errorText: failed ? 'The arguments of the tool call are not a JSON object.' : undefined,
          providerExecuted: part.executedBy === 'provider' ? true : undefined,
        }
        calls.push({ id: part.id, own, shown, answered: false })
        seen.push(shown)
      } else seen.push(...shownOf(part))
    }
    for (const part of results?.content ?? []) if (part.type === 'tool-result') answer(part, false)
  }
  return withoutLastSteps(seen)
}

function shownOf(part: Part): Seen[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text', text: part.text, state: 'done' },
        ...(part.citations ?? []).flatMap((citation): Seen[] => {
          if (citation.type === 'opaque') return []
          if (citation.url === undefined) return [{ type: 'source-document' }]
          return [{ type: 'source-url', url: citation.url, title: citation.title }]
        }),
      ]
    case 'refusal':
      return [{ type: 'text', text: part.text, state: 'done' }]
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, state: 'done' }]
    case 'image':
    case 'audio':
    case 'video':
    case 'file': {
      const { source } = part
      if (source.kind === 'id') return []
      if (source.kind === 'url') return [{ type: 'file', url: source.url }]
      const base64 =
        source.kind === 'base64' ? source.data : Buffer.from(textOf(text(source.text))).toString('base64')
      const head = source.kind === 'base64' ? source.mediaType : 'text/plain;charset=utf-8'
      return [{ type: 'file', url: `data:${head};base64,${base64}` }]
    }
    case 'tool-call':
    case 'tool-result':
    case 'json':
    case 'opaque':
      return []
  }
}
