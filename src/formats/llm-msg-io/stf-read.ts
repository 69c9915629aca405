import { throwInvalid } from '../../canonical/shape/shape.ts'
import { isObject, type Json, type JsonObject, setKey } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { tryParseJson5 } from './json5.ts'

/** The commands that start a message, and the role of each; undefined for those that name it as an argument. */
const ROLE_COMMANDS: ReadonlyMap<string, string | undefined> = new Map([
  ['system', 'system'],
  ['sys', 'system'],
  ['developer', 'developer'],
  ['dev', 'developer'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
  ['message', undefined],
  ['msg', undefined],
])

/** The commands whose value is JSON5 on the following lines, up to `;end`. */
const VALUE_COMMANDS: ReadonlySet<string> = new Set(['raw', 'extra', 'meta'])

const ARGUMENT_NAMES = ['role', 'name', 'id', 'call_id'] as const

const COMMAND = /^;[ \t]*(\/\/|\/\*|\*\/|#|[a-z][a-z0-9]*)/i

/** Returns true for text in STF: its first line that is not blank is a command or a comment. */
export function isStf(text: string): boolean {
  const first = /[^\n]*\S[^\n]*/.exec(text)?.[0] ?? ''
  return COMMAND.test(first)
}

/** The content of an STF file. */
export interface StfFile {
  readonly metadata?: Json
  readonly messages: readonly JsonObject[]
}

/** Parses STF, the text format of llm-msg-io, to its messages and the metadata of the file. */
export function parseStf(text: string): StfFile {
  const parser = new StfParser()
  text.split('\n').forEach((line, index) => parser.push(line, index))
  return parser.end()
}

/** Parses STF to the lines that an NDJSON file has: the metadata, if there is any, and the messages. */
export function readStf(text: string): readonly JsonObject[] {
  const { metadata, messages } = parseStf(text)
  return [...(metadata === undefined ? [] : [{ metadata }]), ...messages]
}

type OpenMessage = { [field: string]: Json } & { content: string }

/** The state between the lines of a file. */
class StfParser {
  readonly #messages: JsonObject[] = []
  #metadata: Json | undefined
  #message: OpenMessage | undefined
  #lines: string[] = []
  #command: { readonly name: string; readonly line: number } | undefined
  #commentLines: number[] = []

  push(line: string, index: number): void {
    const isData = !line.startsWith(';') || line.startsWith(';;')
    if (!isData) return this.#pushCommand(line, index)
    if (this.#commentLines.length > 0) return
    const data = line.startsWith(';;') ? line.slice(1) : line
    const isNeeded = this.#message === undefined && this.#command === undefined
    if (isNeeded && data.trim() !== '')
      return throwAt(index, 'text before the first message', 'a command such as ;user')
    if (!isNeeded) this.#lines.push(data)
  }

  end(): StfFile {
    const [comment] = this.#commentLines
    if (comment !== undefined) return throwAt(comment, 'a comment without an end', ';*/ on a later line')
    if (this.#command !== undefined)
      return throwAt(this.#command.line, `;${this.#command.name} without an end`, ';end')
    this.#closeMessage()
    const metadata = this.#metadata === undefined ? {} : { metadata: this.#metadata }
    return { ...metadata, messages: this.#messages }
  }

  #pushCommand(line: string, index: number): void {
    const [matched, name = ''] = COMMAND.exec(line) ?? []
    if (matched === undefined)
      return throwAt(index, 'a line with ; and no command', ';; for a text that starts with ;')
    if (name === '//' || name === '#') return
    if (name === '/*') return void this.#commentLines.push(index)
    if (name === '*/') {
      if (this.#commentLines.pop() === undefined)
        throwAt(index, 'the end of a comment', 'a comment that is open')
      return
    }
    if (this.#commentLines.length > 0) return
    if (name === 'end') return this.#endValue(index)
    if (this.#command !== undefined)
      return throwAt(index, `;${name} inside of ;${this.#command.name}`, ';end')
    this.#flushLines()
    if (VALUE_COMMANDS.has(name)) this.#command = { name, line: index }
    else if (ROLE_COMMANDS.has(name)) this.#startMessage(name, line.slice(matched.length), index)
    else if (name === 'flush') this.#closeMessage()
    else throwAt(index, `the unknown command ;${name}`, 'a command of STF')
  }

  #startMessage(command: string, given: string, index: number): void {
    const args = parseCommandArguments(given, index)
    const previous = this.#message?.['role']
    this.#closeMessage()
    const role = ROLE_COMMANDS.get(command) ?? args['role'] ?? previous
    if (typeof role !== 'string') return throwAt(index, `;${command} without a role`, 'role=…')
    const message: OpenMessage = { role, content: '' }
    for (const name of ARGUMENT_NAMES) {
      const value = args[name]
      if (name === 'role' || value === undefined) continue
      if (typeof value !== 'string') return throwAt(index, `${name} that is no text`, `${name}="…"`)
      message[name] = value
    }
    this.#message = message
  }

  #endValue(index: number): void {
    const command = this.#command
    if (command === undefined)
      return throwAt(index, ';end without a command', ';raw, ;extra or ;meta before it')
    const value = tryParseJson5(this.#lines.join('\n'))
    if (value === undefined)
      return throwAt(command.line, `;${command.name} whose value is not JSON5`, 'a JSON5 value')
    this.#lines = []
    this.#command = undefined
    if (command.name === 'meta') this.#metadata = mergeObjects(this.#metadata, value)
    else if (command.name === 'extra') {
      if (this.#message === undefined)
        return throwAt(command.line, ';extra before the first message', 'a message')
      this.#message['extra'] = mergeObjects(this.#message['extra'], value)
    } else {
      if (!isObject(value))
        return throwAt(command.line, ';raw whose value is no object', 'a message: an object')
      this.#closeMessage()
      this.#messages.push(value)
    }
  }

  #flushLines(): void {
    if (this.#message !== undefined) this.#message.content += this.#lines.join('\n')
    this.#lines = []
  }

  #closeMessage(): void {
    this.#flushLines()
    if (this.#message !== undefined) this.#messages.push(this.#message)
    this.#message = undefined
  }
}

/** Objects are merged; any other value replaces the earlier one. */
function mergeObjects(before: Json | undefined, value: Json): Json {
  return isObject(before) && isObject(value) ? { ...before, ...value } : value
}

const ARGUMENT =
  /[ \t]*([a-z][a-z0-9_]*)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^ \t"'][^ \t]*)(?=[ \t]|$)/iy

/** Parses the arguments of a command: a JSON5 object, or pairs of keys and values. */
function parseCommandArguments(text: string, line: number): JsonObject {
  const given = text.trim()
  if (given.startsWith('{')) {
    const object = tryParseJson5(given)
    return isObject(object) ? object : throwAt(line, 'arguments that are not JSON5', 'an object')
  }
  const args: JsonObject = {}
  ARGUMENT.lastIndex = 0
  for (let position = 0; position < given.length; position = ARGUMENT.lastIndex) {
    const [, key = '', value = ''] =
      ARGUMENT.exec(given) ?? throwAt(line, 'arguments that are no pairs', 'key=value')
    if (Object.hasOwn(args, key)) return throwAt(line, `the argument ${key} twice`, 'each argument once')
    const isQuoted = /^["']/.test(value)
    const parsed = isQuoted ? tryParseJson5(value) : value
    if (typeof parsed !== 'string' || (!isQuoted && /["']$/.test(value)))
      return throwAt(line, `an invalid text in ${key}`, 'a text without blanks, or in quotes')
    setKey(args, key, parsed)
  }
  return args
}

function throwAt(line: number, found: string, expected: string): never {
  const hint = 'See the format at docs/stf of llm-msg-io.'
  return throwInvalid('invalid-value', child(undefined, line), `line ${line + 1}: ${found}`, expected, hint)
}
