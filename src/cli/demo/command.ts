import { Command } from 'commander'
import { runChat } from '../chat/command.ts'
import { addExamples } from '../command-examples.ts'
import { DEMO_MODEL_NAME } from '../chat/chat.ts'
import { printLine, type Terminal } from '../command-io.ts'
import { runTour, type TourOptions } from './tour.ts'

export function createDemoCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('demo')
      .description(
        'Runs a guided tour without API keys or network: a conversation with tools, translated into every dialect, stored, branched ' +
          'and resumed. In a terminal, the tour ends in a chat prompt.',
      )
      .option('--full', 'show complete requests')
      .action((options: TourOptions) => runDemo(options, terminal)),
    [
      ['Run the tour', 'interlingua demo'],
      ['Show complete requests', 'interlingua demo --full'],
    ],
  )
}

const NEXT_COMMANDS = [
  'interlingua chat        chat with a model, and switch models mid-conversation',
  'interlingua convert     translate requests, responses and streams',
  'interlingua doctor      check your setup, and see what to do next',
]

async function runDemo(options: TourOptions, terminal: Terminal): Promise<void> {
  await runTour(terminal, options)
  await printLine(terminal)
  for (const line of NEXT_COMMANDS) await printLine(terminal, line)
  if (terminal.stdin.isTTY !== true || terminal.stdout.isTTY !== true) return
  await printLine(terminal)
  await runChat([], { model: DEMO_MODEL_NAME, mcp: [], store: false }, terminal)
}
