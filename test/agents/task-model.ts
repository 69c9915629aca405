import {
  assistant,
  type AssistantMessage,
  type ChatRequest,
  type DialectName,
  type Json,
  type JsonObject,
  toolCall,
} from 'interlingua'
import { scripted, type ScriptedModel } from 'interlingua/providers'
import { createSignedAnswer } from '../gateway/signed-answer.ts'

export const TASK_FILE = 'answer.txt'
export const TASK_TEXT = 'written by a tool'

export const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg=='
const COMMAND = `echo '${TASK_TEXT}' > ${TASK_FILE}`
const PATCH = `*** Begin Patch\n*** Add File: ${TASK_FILE}\n+${TASK_TEXT}\n*** End Patch\n`

/** The tools with which programs run commands or change files, and what to pass to write the file of the task. */
const TASK_CALLS: readonly (readonly [name: RegExp, input: JsonObject])[] = [
  [/^apply_patch$/, { input: PATCH }],
  // Codex runs scripts that call its other tools.
  [/^exec$/, { input: `text(await tools.apply_patch(${JSON.stringify(PATCH)}))` }],
  [/^(?:Bash|run_shell_command)$/, { command: COMMAND, description: 'Writes the answer' }],
  [/^exec_command$/, { cmd: COMMAND }],
]

/** A model that writes the file of the task with a tool of the program, and then says that it is done. */
export function createTaskModel(
  dialect: DialectName,
  onTools: (names: readonly string[]) => void,
): ScriptedModel {
  return scripted((request) => answerRequest(request, dialect, onTools))
}

function answerRequest(
  request: ChatRequest,
  dialect: DialectName,
  onTools: (names: readonly string[]) => void,
): AssistantMessage {
  const { output, tools = [] } = request
  const messages = [...request.messages]
  if (messages.some(({ role }) => role === 'tool')) return assistant('Done.')
  const names = tools.flatMap((tool) => ('name' in tool ? [tool.name] : []))
  if (names.length > 0) onTools(names)
  for (const [pattern, input] of TASK_CALLS) {
    const name = names.find((each) => pattern.test(each))
    if (name === undefined) continue
    const call = toolCall({ id: 'call00001', name, arguments: input })
    return createSignedAnswer(dialect, 'A tool writes the file.', [call], SIGNATURE)
  }
  // Programs also ask for titles and for the choice of a model.
  return assistant(output === undefined ? 'A task' : JSON.stringify(createSample(output.schema)))
}

/** Returns a value that fits a simple schema: the first of every choice. */
function createSample(schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return 'a'
  const { type, enum: choices, properties, required } = schema
  if (Array.isArray(choices)) return choices[0] ?? 'a'
  const kind = typeof type === 'string' ? type.toLowerCase() : ''
  if (kind === 'object' && isJsonObject(properties))
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !Array.isArray(required) || required.includes(name))
        .map(([name, property]) => [name, createSample(property)]),
    )
  return { integer: 1, number: 1, boolean: true, array: [] }[kind] ?? 'a'
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
