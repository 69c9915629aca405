import { Command } from 'commander'
import { examples } from '../examples.ts'
import { flavorOption, formOption, kindOption } from '../input/options.ts'
import type { Terminal } from '../terminal.ts'
import { convert, type ConvertOptions } from './convert.ts'

export function convertCommand(terminal: Terminal): Command {
  return examples(
    new Command('convert')
      .description(
        'Translates a file, or standard input, into another form. What it is, is found out: a request, a response, a stream, ' +
          `a stored conversation, or one of them a line (JSONL). What does not come through unchanged is told on standard error.`,
      )
      .argument('[file]', 'the file to read; standard input where it is left out or -')
      .addOption(formOption('-t, --to <form>', 'what it is to become').makeOptionMandatory())
      .addOption(formOption('-f, --from <form>', 'what it is, where that is not found out by itself'))
      .addOption(kindOption())
      .option('-o, --output <file>', 'the file to write: it appears whole or not at all')
      .option('-m, --model <name>', 'the model that a request asks')
      .addOption(flavorOption())
      .option('--strict', 'refuse what would lose meaning')
      .option('--keep-going', 'pass over what cannot be converted, and convert the rest')
      .option('--json', 'tell losses and faults as JSON, one a line')
      .action((file: string | undefined, options: ConvertOptions) => convert(file, options, terminal)),
    [
      ['A request for OpenAI as one for Anthropic', 'interlingua convert request.json --to anthropic'],
      ['Through pipes', 'cat request.json | interlingua convert --to gemini > gemini.json'],
      [
        'A log of requests, line by line',
        'interlingua convert log.jsonl --to ollama -o out.jsonl --keep-going',
      ],
      ['A streamed answer', 'interlingua convert answer.sse --to openai-chat'],
      ['Refuse to lose anything', 'interlingua convert request.json --to openai-responses --strict'],
    ],
  )
}
