import { Command } from 'commander'
import { examples } from '../examples.ts'
import { formOption, kindOption } from '../input/options.ts'
import type { Terminal } from '../terminal.ts'
import { inspect, type InspectOptions } from './inspect.ts'

export function inspectCommand(terminal: Terminal): Command {
  return examples(
    new Command('inspect')
      .description(
        'Shows what is in a file, or in standard input: a request, a response, a streamed answer, a stored conversation, or one ' +
          'of them a line. Problems are what a provider would refuse.',
      )
      .argument('[file]', 'the file to read; standard input where it is left out or -')
      .addOption(formOption('-f, --from <form>', 'what it is, where that is not found out by itself'))
      .addOption(kindOption())
      .option('--json', 'as JSON, one document a line')
      .action((file: string | undefined, options: InspectOptions) => inspect(file, options, terminal)),
    [
      ['A request', 'interlingua inspect request.json'],
      ['A streamed answer', 'interlingua inspect answer.sse'],
      ['Only the problems', `interlingua inspect request.json --json | grep -o '"problems":[^]]*]'`],
    ],
  )
}
