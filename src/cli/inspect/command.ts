import { Command } from 'commander'
import { addExamples } from '../command-examples.ts'
import { createFormatOption, createKindOption } from '../input/format-options.ts'
import { type Terminal, printLines, printJson } from '../command-io.ts'
import { validate } from '../../canonical/check/validate.ts'
import type { Problem } from '../../canonical/check/rule.ts'
import { addUsage } from '../../canonical/model/usage.ts'
import { toJson } from '../../canonical/stored/stored-form.ts'
import { dialects } from '../../dialects/dialects.ts'
import { CommandExit } from '../exit-codes.ts'
import { getExitName, printFault } from '../error-output.ts'
import {
  type DocumentContent,
  type InputDocument,
  isDialectName,
  getMessages,
  type InputFormatOptions,
} from '../input/document.ts'
import { readDocuments, type DocumentResult } from '../input/read-documents.ts'
import { openSource } from '../input/source.ts'
import { type Colorizer, createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { formatMessage, formatUsage } from './format-message.ts'

export interface InspectOptions extends InputFormatOptions {
  readonly json?: boolean
}

/** Prints every document of a file. */
export async function runInspect(
  file: string | undefined,
  options: InspectOptions,
  terminal: Terminal,
): Promise<void> {
  let exit: CommandExit | undefined
  for await (const found of readDocuments(await openSource(file, terminal), options, terminal)) {
    if (found.document === undefined) {
      exit ??= new CommandExit(getExitName(found.error))
      await printFault(found, options, terminal)
    } else if (options.json === true) await printJson(terminal, toJsonOutput(found, found.document))
    else await printDocument(found, found.document, terminal)
  }
  if (exit !== undefined) throw exit
}

function findProblems({ content, detected }: InputDocument): readonly Problem[] {
  // A response is not a complete conversation: the results of its tool calls follow later.
  if (content.kind === 'response') return []
  return validate(getMessages(content), isDialectName(detected.name) ? dialects[detected.name] : undefined)
}

function toJsonOutput({ file, line }: DocumentResult, document: InputDocument): object {
  const { content, detected } = document
  return {
    file,
    ...(line && { line }),
    ...detected,
    problems: findProblems(document),
    content: toJson(
      content.kind === 'response'
        ? content.response
        : content.kind === 'request'
          ? content.request
          : content.messages,
    ),
  }
}

async function printDocument(
  found: DocumentResult,
  document: InputDocument,
  terminal: Terminal,
): Promise<void> {
  const paint = createColorizer(terminal, terminal.stdout)
  await printLines(terminal, [
    ...formatHeader(found, document, paint),
    ...getMessages(document.content).flatMap((message, index) => formatMessage(message, index + 1, paint)),
    '',
    ...formatFooter(document, paint),
  ])
}

function formatHeader(
  { file, line }: DocumentResult,
  { content, detected }: InputDocument,
  paint: Colorizer,
): readonly string[] {
  const { kind, name, certainty } = detected
  const location = escapeControlCharacters(line === undefined ? file : `${file}:${line}`)
  const facts = [`${name} ${kind}`, `certainty ${certainty}`, ...formatModel(content)]
  return [`${paint('bold', location)}: ${facts.join(', ')}`, ...formatTools(content), '']
}

function formatModel(content: DocumentContent): readonly string[] {
  if (content.kind === 'messages') return []
  const { model } = content.kind === 'request' ? content.request : content.response
  return model === undefined ? [] : [`model ${escapeControlCharacters(model)}`]
}

function formatTools(content: DocumentContent): readonly string[] {
  const tools = content.kind === 'request' ? (content.request.tools ?? []) : []
  const names = tools.map((tool) =>
    escapeControlCharacters(tool.type === 'opaque' ? `a tool of ${tool.dialect}` : tool.name),
  )
  return names.length === 0 ? [] : [`tools: ${names.join(', ')}`]
}

function formatFooter(document: InputDocument, paint: Colorizer): readonly string[] {
  const { content } = document
  const messages = getMessages(content)
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
  const problems = findProblems(document)
  return [
    `messages: ${messages.length}`,
    ...(usage === undefined ? [] : [`usage: ${formatUsage(usage)}`]),
    ...(finish.length === 0 ? [] : [`finish: ${finish.join(', ')}`]),
    `problems: ${problems.length === 0 ? paint('green', 'none') : ''}`.trimEnd(),
    ...problems.map(
      ({ severity, rule, path, message }) =>
        `  ${paint(severity === 'error' ? 'red' : 'yellow', severity)}  ${escapeControlCharacters(`${rule} at ${path}: ${message}`)}`,
    ),
  ]
}

export function createCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('inspect')
      .description(
        'Shows the content of a file or of standard input: a request, response, stream or stored conversation, or one of these ' +
          'per line. Listed problems are those that a provider would reject.',
      )
      .argument('[file]', 'the input file; omit it or pass - for standard input')
      .addOption(createFormatOption('-f, --from <format>', 'the format of the input; detected if omitted'))
      .addOption(createKindOption())
      .option('--json', 'print JSON, one document per line')
      .action((file: string | undefined, options: InspectOptions) => runInspect(file, options, terminal)),
    [
      ['A request', 'interlingua inspect request.json'],
      ['A streamed response', 'interlingua inspect answer.sse'],
      ['Only the problems', `interlingua inspect request.json --json | grep -o '"problems":[^]]*]'`],
    ],
  )
}
