import type { Command } from 'commander'

/** A command as a shell completes it: `path` is what stands before, its words with a slash each. */
interface Place {
  readonly path: string
  readonly words: readonly { readonly word: string; readonly says: string }[]
}

/** A script that has a shell complete the commands and options there are; after them it offers files. */
export function completionScript(program: Command, shell: 'bash' | 'zsh' | 'fish'): string {
  const places = placesOf(program, '')
  if (shell === 'bash') return bash(places)
  if (shell === 'zsh') return zsh(places)
  return fish(places)
}

function placesOf(command: Command, path: string): Place[] {
  const commands = command.commands.map((one) => ({ word: one.name(), says: firstLine(one.description()) }))
  const options = command.options.flatMap(({ long, description }) =>
    long ? [{ word: long, says: firstLine(description) }] : [],
  )
  const help = { word: '--help', says: 'how it is used' }
  return [
    { path, words: [...commands, ...options, help] },
    ...command.commands.flatMap((one) => placesOf(one, `${path}/${one.name()}`)),
  ]
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''

const wordsOf = ({ words }: Place): string => words.map(({ word }) => word).join(' ')

/** Finds out where the words before the cursor lead, in the shell's own language. */
const walk = (places: readonly Place[], words: string): string => `  local place= word
  for word in ${words}; do
    case "$place/$word" in
      ${places
        .map(({ path }) => path)
        .filter(Boolean)
        .join('|')}) place="$place/$word" ;;
    esac
  done`

const offers = (places: readonly Place[]): string =>
  places.map((place) => `    ${place.path === '' ? "''" : place.path}) offers='${wordsOf(place)}' ;;`).join('\n')

const bash = (places: readonly Place[]): string => `# edgewright completion bash > /etc/bash_completion.d/edgewright
_edgewright() {
${walk(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  local offers=
  case "$place" in
${offers(places)}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _edgewright edgewright
`

const zsh = (places: readonly Place[]): string => `#compdef edgewright
# edgewright completion zsh > "\${fpath[1]}/_edgewright"
_edgewright() {
${walk(places, '"${(@)words[2,CURRENT-1]}"')}
  local offers=
  case "$place" in
${offers(places)}
  esac
  compadd -- \${=offers}
  [[ "$PREFIX" == -* ]] || _files
}
compdef _edgewright edgewright
`

const quotedFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = (
  places: readonly Place[],
): string => `# edgewright completion fish > ~/.config/fish/completions/edgewright.fish
function __edgewright_at
  set -l place ''
  for word in (commandline -opc)[2..]
    if contains -- "$place/$word" ${places
      .map(({ path }) => path)
      .filter(Boolean)
      .join(' ')}
      set place "$place/$word"
    end
  end
  test "$place" = "$argv[1]"
end
${places
  .flatMap(({ path, words }) =>
    words.map(({ word, says }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      return `complete -c edgewright -n "__edgewright_at '${path}'" ${what} -d ${quotedFish(says)}`
    }),
  )
  .join('\n')}
`
