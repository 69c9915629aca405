import { throwWrongType } from '../../canonical/shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { MsgIoMessageJson } from './types.ts'

const COMMANDS: { readonly [role: string]: string } = {
  user: 'user',
  assistant: 'ai',
  system: 'sys',
  developer: 'dev',
  tool: 'tool',
}

/** The fields that a command and the lines after it represent; a message with another one is written as JSON. */
const LINE_FIELDS: ReadonlySet<string> = new Set(['role', 'name', 'id', 'call_id', 'content', 'extra'])

const hasLineBreak = (value: Json | undefined): boolean => typeof value === 'string' && /[\r\n]/.test(value)

/**
 * Writes messages of llm-msg-io as STF, its text format for people. Messages that have calls, reasoning or several parts are
 * written as JSON, because llm-msg-io would ignore these fields in any other form.
 *
 * @example
 * writeStf(llmMsgIo.toMessages([user('Hi', { id: 'm1' })]).value) // ';user id=m1\nHi'
 */
export function writeStf(messages: readonly MsgIoMessageJson[]): string {
  return withTypedErrors(
    () =>
      Array.from(messages, (message, index) => {
        const wire = message as unknown as Json
        return isObject(wire)
          ? writeMessage(wire)
          : throwWrongType(wire, child(undefined, index), 'a message: an object')
      }).join('\n'),
    [messages],
  )
}

function writeMessage(message: JsonObject): string {
  const { role, content, extra, metadata } = message
  if (role === undefined && metadata !== undefined) return writeBlock('meta', metadata)
  const args = [message['name'], message['id'], message['call_id']]
  const isPlain =
    typeof role === 'string' &&
    typeof content === 'string' &&
    !args.some(hasLineBreak) &&
    Object.keys(message).every((key) => LINE_FIELDS.has(key))
  // The commands of STF have no fields for calls, reasoning, refusals and lists of parts.
  if (!isPlain) return writeBlock('raw', message)
  const command = Object.hasOwn(COMMANDS, role) ? `;${COMMANDS[role]}` : `;msg role=${quote(role)}`
  const pairs = (['name', 'id', 'call_id'] as const).flatMap((key) => {
    const value = message[key]
    return typeof value === 'string' ? [`${key}=${quote(value)}`] : []
  })
  return [
    [command, ...pairs].join(' '),
    ...(content === '' ? [] : [escapeLines(content)]),
    ...(extra === undefined ? [] : [writeBlock('extra', extra)]),
  ].join('\n')
}

function writeBlock(command: string, value: Json): string {
  return [`;${command}`, escapeLines(JSON.stringify(value, null, 2)), ';end'].join('\n')
}

function quote(value: string): string {
  return /^[^\s'"{}]+$/.test(value) ? value : JSON.stringify(value)
}

function escapeLines(text: string): string {
  return text.replaceAll(/^;/gm, ';;')
}
