/**
 * Completion scripts. All of them call `paneward __complete` with the words typed so far, and get a line for each: the word, and
 * after a tab what it is. What follows `--` belongs to another program, which the shell completes itself.
 */
export const shellScripts = {
  bash: `# paneward completion for bash
_paneward() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}") cur="\${COMP_WORDS[COMP_CWORD]}" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} == -- ]]; then
      if declare -F _command_offset >/dev/null; then unset IFS; _command_offset $((at + 1)); else _paneward_other "$at" "$cur"; fi
      return
    fi
  done
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]%%$'\\t'*}")
  # bash splits words at the = of "output="; do not add a space after a word that ends in =.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ \${#COMPREPLY[@]} -eq 0 && $cur != -* ]]; then compopt -o default 2>/dev/null; fi
}
_paneward_other() {
  if (( COMP_CWORD == $1 + 1 )) && [[ $2 != */* ]]; then COMPREPLY=($(compgen -c -- "$2")); else compopt -o default 2>/dev/null; fi
}
complete -F _paneward paneward
`,
  zsh: `#compdef paneward
# paneward completion for zsh
_paneward() {
  local -a found shown
  local line word at=\${words[(i)--]}
  if (( at < CURRENT )); then
    words=("\${(@)words[at + 1,-1]}")
    (( CURRENT -= at ))
    _normal
    return
  fi
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word="\${line%%$'\\t'*}"
    [[ -n $word ]] || continue
    found+=("$word")
    if [[ $line == *$'\\t'* ]]; then shown+=("\${word}  -- \${line#*$'\\t'}"); else shown+=("$word"); fi
  done
  if (( ! \${#found} )); then _files; return; fi
  if [[ "\${#found}" -eq 1 && $found[1] == *= ]]; then compadd -S "" -- "\${found[@]}"; else compadd -l -d shown -- "\${found[@]}"; fi
}
if [ "$funcstack[1]" = "_paneward" ]; then
  _paneward "$@"
else
  if (( ! $+functions[compdef] )); then autoload -U compinit && compinit -i; fi
  compdef _paneward paneward
fi
`,
  fish: `# paneward completion for fish
function __paneward_typed
  commandline -opc
  commandline -ct
end
function __paneward_complete
  set -l typed (__paneward_typed)
  set -l at (contains -i -- -- $typed[1..-2])
  if test -n "$at"
    complete -C (string join ' ' -- (string escape -- $typed[(math $at + 1)..-2]) $typed[-1])
    return
  end
  $typed[1] __complete -- $typed[2..-1] 2>/dev/null
end
# Files, where nothing else is known.
function __paneward_knows
  set -g __paneward_found (__paneward_complete)
  test -n "$__paneward_found"
end
complete -c paneward -e
complete -c paneward -f -k -n __paneward_knows -a '$__paneward_found'
`,
} as const;
