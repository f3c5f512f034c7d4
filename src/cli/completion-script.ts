export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function isShell(name: string): name is Shell {
  return (shells as readonly string[]).includes(name);
}

/** The script a shell evaluates; it asks `./run __complete WORD…`, which prints one candidate a line. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case "bash":
      return `_k8s_practice() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _k8s_practice run ./run k8s-practice
`;
    case "zsh":
      return `_k8s_practice() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  (( \${#candidates} )) && compadd -- $candidates
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _k8s_practice run ./run k8s-practice
`;
    case "fish":
      return `function __k8s_practice_complete
  set -l words (commandline -opc) (commandline -ct)
  command $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c run -f -a '(__k8s_practice_complete)'
complete -c k8s-practice -f -a '(__k8s_practice_complete)'
`;
  }
}
