/** Completion scripts. All of them call `paneward __complete` with the words typed so far. */
export const shellScripts = {
  bash: `# paneward completion for bash
_paneward() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}") cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null))
  # bash splits words at the = of "output="; do not add a space after a word that ends in =.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ \${#COMPREPLY[@]} -eq 0 && $cur != -* ]]; then compopt -o default 2>/dev/null; fi
}
complete -F _paneward paneward
`,
  zsh: `#compdef paneward
# paneward completion for zsh
_paneward() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} )); then compadd -- "\${found[@]}"; else _files; fi
}
if [ "$funcstack[1]" = "_paneward" ]; then _paneward "$@"; else compdef _paneward paneward; fi
`,
  fish: `# paneward completion for fish
function __paneward_complete
  set -l typed (commandline -opc) (commandline -ct)
  $typed[1] __complete -- $typed[2..-1] 2>/dev/null
end
complete -c paneward -f -a '(__paneward_complete)'
`,
} as const;
