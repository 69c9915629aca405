import { validate } from '../../canonical/check/validate.ts'
import type { Problem } from '../../canonical/check/rule.ts'
import { addUsage } from '../../canonical/model/usage.ts'
import { toJson } from '../../canonical/stored/stored.ts'
import { dialects } from '../../dialects/translate.ts'
import { Exit } from '../exit-codes.ts'
import { exitOf } from '../failure.ts'
import { tellFault } from '../fault.ts'
import { type Content, type Document, isDialect, messagesOf, type Told } from '../input/document.ts'
import { documentsOf, type Found } from '../input/documents.ts'
import { openSource } from '../input/source.ts'
import { type Paint, paintFor, printable } from '../paint.ts'
import { say, sayJson, type Terminal } from '../terminal.ts'
import { messageLines, usageLine } from './show.ts'

export interface InspectOptions extends Told {
  readonly json?: boolean
}

/** Shows every document of a file. */
export async function inspect(
  file: string | undefined,
  options: InspectOptions,
  terminal: Terminal,
): Promise<void> {
  let exit: Exit | undefined
  for await (const found of documentsOf(await openSource(file, terminal), options, terminal)) {
    if (found.document === undefined) {
      exit ??= new Exit(exitOf(found.error))
      await tellFault(found, options, terminal)
    } else if (options.json === true) await sayJson(terminal, jsonOf(found, found.document))
    else await show(found, found.document, terminal)
  }
  if (exit !== undefined) throw exit
}

function problemsOf({ content, detected }: Document): readonly Problem[] {
  // An answer stands alone: whether its calls get results, what follows it will tell.
  if (content.kind === 'response') return []
  return validate(messagesOf(content), isDialect(detected.name) ? dialects[detected.name] : undefined)
}

function jsonOf({ file, line }: Found, document: Document): object {
  const { content, detected } = document
  return {
    file,
    ...(line && { line }),
    ...detected,
    problems: problemsOf(document),
    content: toJson(
      content.kind === 'response'
        ? content.response
        : content.kind === 'request'
          ? content.request
          : content.messages,
    ),
  }
}

async function show(found: Found, document: Document, terminal: Terminal): Promise<void> {
  const paint = paintFor(terminal, terminal.stdout)
  const lines = [
    ...headLines(found, document, paint),
    ...messagesOf(document.content).flatMap((message, index) => messageLines(message, index + 1, paint)),
    '',
    ...tailLines(document, paint),
  ]
  for (const line of lines) await say(terminal, line)
}

function headLines({ file, line }: Found, { content, detected }: Document, paint: Paint): readonly string[] {
  const { kind, name, certainty } = detected
  const place = printable(line === undefined ? file : `${file}:${line}`)
  const facts = [`${kind} of ${name}`, `certainty ${certainty}`, ...factsOf(content)]
  return [`${paint('bold', place)}: ${facts.join(', ')}`, ...toolLines(content), '']
}

function factsOf(content: Content): readonly string[] {
  if (content.kind === 'messages') return []
  const { model } = content.kind === 'request' ? content.request : content.response
  return model === undefined ? [] : [`model ${printable(model)}`]
}

function toolLines(content: Content): readonly string[] {
  const tools = content.kind === 'request' ? (content.request.tools ?? []) : []
  const names = tools.map((tool) =>
    printable(tool.type === 'opaque' ? `a tool of ${tool.dialect}` : tool.name),
  )
  return names.length === 0 ? [] : [`tools: ${names.join(', ')}`]
}

function tailLines(document: Document, paint: Paint): readonly string[] {
  const { content } = document
  const messages = messagesOf(content)
  const counted = messages.flatMap((each) => (each.role === 'assistant' && each.usage ? [each.usage] : []))
  const usage =
    content.kind === 'response'
      ? content.response.usage
      : counted.length > 0
        ? addUsage(...counted)
        : undefined
  const finish = messages.flatMap((each) =>
    each.role === 'assistant' && each.finish ? [each.finish.reason] : [],
  )
  const problems = problemsOf(document)
  return [
    `messages: ${messages.length}`,
    ...(usage === undefined ? [] : [`usage: ${usageLine(usage)}`]),
    ...(finish.length === 0 ? [] : [`finish: ${finish.join(', ')}`]),
    `problems: ${problems.length === 0 ? paint('green', 'none') : ''}`.trimEnd(),
    ...problems.map(
      ({ severity, rule, path, message }) =>
        `  ${paint(severity === 'error' ? 'red' : 'yellow', severity)}  ${printable(`${rule} at ${path}: ${message}`)}`,
    ),
  ]
}
