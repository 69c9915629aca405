import { Argument, Command, type Option } from 'commander'
import { restrictTo } from './input/format-options.ts'
import { addCommandExamples } from './command-examples.ts'
import { printLine, type Terminal } from './command-io.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('completion')
      .description('Prints a script that completes commands, options and their choices.')
      .addArgument(restrictTo(new Argument('<shell>', 'the shell'), SHELLS))
      .action((shell: Shell, _options: object, command: Command) =>
        printLine(terminal, completionScripts[shell](collectWords(command.parent ?? command)).trim()),
      ),
    [
      ['bash', 'interlingua completion bash > interlingua.bash'],
      ['zsh', 'interlingua completion zsh > _interlingua'],
      ['fish', 'interlingua completion fish > interlingua.fish'],
    ],
  )
}

/** Words that may follow each command path and each option with choices. */
type CompletionWords = ReadonlyMap<string, readonly string[]>

/** Collects the words from the commands themselves, so that completion is never out of date. */
function collectWords(program: Command): CompletionWords {
  const after = new Map<string, readonly string[]>()
  const visit = (command: Command, path: string): void => {
    const flagsOf = ({ short, long }: Option): readonly string[] =>
      [short, long].filter((flag) => flag !== undefined)
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
    const flags = command.options.flatMap(flagsOf)
    after.set(path, [...command.commands.map((each) => each.name()), ...choices, ...flags, '--help'])
    for (const option of command.options)
      if (option.argChoices) for (const flag of flagsOf(option)) after.set(flag, option.argChoices)
    for (const each of command.commands) visit(each, `${path} ${each.name()}`)
  }
  visit(program, program.name())
  return after
}

const isOption = (key: string): boolean => key.startsWith('-')

function formatCases(words: CompletionWords, ofOptions: boolean, indent: string): string {
  return [...words]
    .filter(([key]) => isOption(key) === ofOptions)
    .map(([key, list]) => `${indent}'${key}') words='${list.join(' ')}' ;;`)
    .join('\n')
}

/** Returns the fish line that completes after a command path or an option. */
function formatFishLine(key: string, words: string): string {
  const [, dashes = '', name = ''] = /^(--?)(.+)$/.exec(key) ?? []
  if (dashes !== '') return `complete -c interlingua ${dashes === '-' ? '-s' : '-l'} ${name} -x -a '${words}'`
  const [, ...subcommands] = key.split(' ')
  const seen = subcommands.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
  const when = subcommands.length === 0 ? '__fish_use_subcommand' : seen
  return `complete -c interlingua -n '${when}' -a '${words}'`
}

const completionScripts: { readonly [shell in Shell]: (words: CompletionWords) => string } = {
  bash: (words) => `
_interlingua() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path=interlingua words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    case " ${[...words.keys()].filter((key) => !isOption(key)).join(' | ')} " in
      *"| $path $word "*) path="$path $word" ;;
    esac
  done
  case "$previous" in
${formatCases(words, true, '    ')}
    *) case "$path" in
${formatCases(words, false, '      ')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _interlingua interlingua
`,
  zsh: (words) => `
#compdef interlingua
autoload -U +X bashcompinit && bashcompinit
${completionScripts.bash(words).trim()}
`,
  fish: (words) => [...words].map(([key, list]) => formatFishLine(key, list.join(' '))).join('\n'),
}
