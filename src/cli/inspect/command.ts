import { Command } from 'commander'
import { addCommandExamples } from '../command-examples.ts'
import { createInputFormatOption, createKindOption } from '../input/format-options.ts'
import { type Terminal, printLines, printJson } from '../command-io.ts'
import { validate } from '../../canonical/check/validate.ts'
import type { Problem } from '../../canonical/check/validation-rule.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import { createRegistryOption, knownDialects } from '../registry.ts'
import { encodeInputDocument } from '../convert/encode-input-document.ts'
import { CommandExit } from '../exit-codes.ts'
import { formatFaultLocation, getExitName, printInputError } from '../error-output.ts'
import { type DocumentContent, getDocumentMessages, type InputDocument } from '../input/input-document.ts'
import { type InputFormatOptions, isDialectName, STORED_FORMAT } from '../input/input-format-names.ts'
import { readDocuments, type DocumentResult } from '../input/read-documents.ts'
import { openSource } from '../input/input-source.ts'
import {
  describeTranscript,
  formatMessage,
  formatTranscriptForTerminal,
  formatUsage,
} from './format-transcript.ts'
import { type Colorizer, createColorizer, escapeControlCharacters } from '../terminal-text.ts'

interface InspectOptions extends InputFormatOptions {
  readonly json?: boolean
}

async function runInspect(terminal: Terminal, options: InspectOptions, file?: string): Promise<void> {
  const paint = createColorizer(terminal, terminal.stdout)
  let exit: CommandExit | undefined
  for await (const found of readDocuments(await openSource(file, terminal), options, terminal)) {
    if (found.document === undefined) {
      exit ??= new CommandExit(getExitName(found.error))
      await printInputError(found, options.json === true, terminal)
    } else if (options.json === true) await printJson(terminal, toJsonOutput(found, found.document))
    else await printLines(terminal, formatDocument(found, found.document, paint))
  }
  if (exit !== undefined) throw exit
}

function findProblems({ content, detected }: InputDocument): readonly Problem[] {
  // A response is not a complete conversation: the results of its tool calls follow later.
  if (content.kind === 'response') return []
  return validate(
    getDocumentMessages(content),
    isDialectName(detected.name) ? knownDialects[detected.name] : undefined,
  )
}

function toJsonOutput({ file, line }: DocumentResult, document: InputDocument): object {
  const { content, detected } = document
  return {
    file,
    ...(line && { line }),
    ...detected,
    problems: findProblems(document),
    content: encodeInputDocument(content, { to: STORED_FORMAT }).value,
    ...(document.transcript !== undefined && { transcript: describeTranscript(document.transcript) }),
  }
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

function formatDocument(found: DocumentResult, document: InputDocument, paint: Colorizer): readonly string[] {
  const { content, detected } = document
  const { name, kind, certainty } = detected
  const facts = [`${name} ${kind}`, `certainty ${certainty}`, ...formatModel(content)]
  const messages = getDocumentMessages(content)
  const answers = messages.filter((message) => message.role === 'assistant')
  const usage = content.kind === 'response' ? content.response.usage : sumUsage(answers)
  const reasons = answers.flatMap(({ finish }) => finish?.reason ?? [])
  const problems = findProblems(document)
  return [
    `${paint('bold', formatFaultLocation(found))}: ${facts.join(', ')}`,
    ...formatTools(content),
    ...(document.transcript === undefined ? [] : formatTranscriptForTerminal(document.transcript)),
    '',
    ...messages.flatMap((message, index) => formatMessage(message, index + 1, paint)),
    '',
    `messages: ${messages.length}`,
    ...(usage === undefined ? [] : [`usage: ${formatUsage(usage)}`]),
    ...(reasons.length === 0 ? [] : [`finish: ${reasons.join(', ')}`]),
    `problems: ${problems.length === 0 ? paint('green', 'none') : ''}`.trimEnd(),
    ...problems.map(({ severity, rule, path, message }) => {
      const label = paint(severity === 'error' ? 'red' : 'yellow', severity)
      return `  ${label}  ${escapeControlCharacters(`${rule} at ${path}: ${message}`)}`
    }),
  ]
}

function sumUsage(answers: readonly AssistantMessage[]): Usage | undefined {
  const usages = answers.flatMap(({ usage }) => usage ?? [])
  return usages.length === 0 ? undefined : addUsage(...usages)
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('inspect')
      .description(
        'Shows the content of a file or of standard input: a request, response, stream, stored conversation or list of messages, ' +
          'or one of these per line. Listed problems are those that a provider would reject.',
      )
      .argument('[file]', 'the input file; omit it or pass - for standard input')
      .addOption(createInputFormatOption())
      .addOption(createKindOption())
      .addOption(createRegistryOption())
      .option('--json', 'print JSON, one document per line')
      .action((file: string | undefined, options: InspectOptions) => runInspect(terminal, options, file)),
    [
      ['A request', 'interlingua inspect request.json'],
      ['A streamed response', 'interlingua inspect answer.sse'],
      ['Only the problems', `interlingua inspect request.json --json | grep -o '"problems":[^]]*]'`],
    ],
  )
}
