import { Argument, Command } from 'commander'
import { examples } from './examples.ts'
import { say, type Terminal } from './terminal.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

export function completionCommand(terminal: Terminal): Command {
  return examples(
    new Command('completion')
      .description('Prints a script that completes commands, options and their choices.')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
      .action((shell: Shell, _options: object, command: Command) =>
        say(terminal, scripts[shell](wordsOf(command.parent ?? command)).trim()),
      ),
    [
      ['bash', 'interlingua completion bash > interlingua.bash'],
      ['zsh', 'interlingua completion zsh > _interlingua'],
      ['fish', 'interlingua completion fish > interlingua.fish'],
    ],
  )
}

/** What may be typed after each path of commands and after each option with choices. */
interface Words {
  readonly after: ReadonlyMap<string, readonly string[]>
}

/** Read off the commands themselves, so that it cannot go stale. */
function wordsOf(program: Command): Words {
  const after = new Map<string, readonly string[]>()
  const visit = (command: Command, path: string): void => {
    const options = command.options.flatMap(({ short, long }) =>
      [short, long].filter((flag) => flag !== undefined),
    )
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
    after.set(path, [...command.commands.map((each) => each.name()), ...choices, ...options, '--help'])
    for (const { short, long, argChoices } of command.options)
      for (const flag of [short, long]) if (flag !== undefined && argChoices) after.set(flag, argChoices)
    for (const each of command.commands) visit(each, `${path} ${each.name()}`)
  }
  visit(program, program.name())
  return { after }
}

const cases = ({ after }: Words, indent: string): string =>
  [...after].map(([key, words]) => `${indent}'${key}') words='${words.join(' ')}' ;;`).join('\n')

/** What may follow a path of commands, or an option, in the words of fish. */
function fishLine(key: string, words: string): string {
  const [, dashes = '', name = ''] = /^(--?)(.+)$/.exec(key) ?? []
  if (dashes !== '') return `complete -c interlingua ${dashes === '-' ? '-s' : '-l'} ${name} -x -a '${words}'`
  const [, ...below] = key.split(' ')
  const seen = below.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
  const when = below.length === 0 ? '__fish_use_subcommand' : seen
  return `complete -c interlingua -n '${when}' -a '${words}'`
}

const scripts: { readonly [shell in Shell]: (words: Words) => string } = {
  bash: (words) => `
_interlingua() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path=interlingua words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    case " ${[...words.after.keys()].filter((key) => !key.startsWith('-')).join(' | ')} " in
      *"| $path $word "*) path="$path $word" ;;
    esac
  done
  case "$previous" in
${cases({ after: new Map([...words.after].filter(([key]) => key.startsWith('-'))) }, '    ')}
    *) case "$path" in
${cases({ after: new Map([...words.after].filter(([key]) => !key.startsWith('-'))) }, '      ')}
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
${scripts.bash(words).trim()}
`,
  fish: ({ after }) => [...after].map(([key, words]) => fishLine(key, words.join(' '))).join('\n'),
}
