#!/bin/sh
# Starts a named background task in this conversation's tmux session, or restarts it in its window.
# Usage: pi-tmux-task-run <task-name> -- '<shell-command>'
set -eu

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

[ $# -ge 3 ] && [ "$2" = "--" ] || fail "usage: pi-tmux-task-run <task-name> -- '<shell-command>'"
task=$1
shift 2
command=$*
session=${PI_TMUX_SESSION:-}

case $task in
  *[!A-Za-z0-9._-]*) fail "task name '$task' is not allowed: use 1 to 40 of A-Z a-z 0-9 . _ -" ;;
esac
[ -n "$task" ] && [ ${#task} -le 40 ] || fail "task name '$task' is not allowed: use 1 to 40 of A-Z a-z 0-9 . _ -"
[ -n "$session" ] || fail "PI_TMUX_SESSION is not set, so the conversation of this task is unknown." \
  "pi sets it in every bash call when the tasks extension of @paneward/pi is loaded. Do not invent a value:" \
  "run this from pi's bash tool, and check with 'pi list' that the package is installed."
case $session in
  *[!A-Za-z0-9_-]*) fail "PI_TMUX_SESSION is '$session', which is not the name of a task session; do not change it" ;;
esac
command -v tmux >/dev/null 2>&1 || fail "tmux is not installed; install it with your package manager and try again"
cwd=$(pwd)
shell=$(command -v bash || command -v sh)
channel=pi-tasks-$session

# Variables of this conversation that must reach neither the task nor a tmux server started here.
stale="PI_SESSION_ID PI_SESSION_FILE PI_PROVIDER PI_MODEL PI_REASONING_LEVEL PI_TMUX_ROOT_CWD"
caller_path=$PATH
# shellcheck disable=SC2086 # a list of names
unset $stale PI_TMUX_SESSION

# tmux expands #{…} and #(…) in a folder; ## is #.
literal() { printf '%s' "$1" | sed 's/#/##/g'; }
# tmux reads ; at the end of an argument as the end of a command.
argument() {
  case $1 in
    *\;) printf '%s\\;' "${1%;}" ;;
    *) printf '%s' "$1" ;;
  esac
}

folder=$(argument "$(literal "$cwd")")
# A window needs a program before its settings are made; this one is replaced below.
if ! tmux has-session -t "=$session" 2>/dev/null; then
  # With destroy-unattached in the user's configuration the session would end at once.
  said=$(tmux new-session -d -s "$session" -n "$task" -x 200 -y 50 -c "$folder" sleep 2147483647 \; \
    set-option -t "=$session:" destroy-unattached off 2>&1) ||
    case $said in
      *"duplicate session"*) ;; # created by a concurrent start
      *) fail "tmux cannot open session $session: $said" ;;
    esac
fi

# One command line, so that ten concurrent starts create one window.
windows=$(tmux if-shell -F -t "=$session:" "#{W:#{?#{==:#{window_name},$task},1,}}" '' \
  "new-window -d -t =$session: -n $task sleep 2147483647" \; \
  list-windows -t "=$session" -F '#{window_id} #{window_name}' | while read -r id name; do
  [ "$name" != "$task" ] || printf '%s\n' "$id"
done)
case $windows in
  @*[!0-9]*) fail "two windows are called '$task' in $session:" "$windows" "end one: tmux kill-window -t ID" ;;
  @*) window=$windows ;;
  *) fail "tmux created no window '$task' in session $session; check with: tmux list-windows -t '=$session'" ;;
esac

# The task runs below a shell that closes the terminal and waits a moment before it exits: otherwise tmux 3.3a loses the
# last output, and sometimes the exit code, of a program that prints and exits at once.
# shellcheck disable=SC2016 # expanded by that shell
run='trap : INT QUIT; unset '$stale'
"$1" -c "$2"; s=$?
trap "" HUP; exec </dev/null >/dev/null 2>&1; sleep 0.03; exit $s'

shown=$(printf '%s' "$command" | tr '\n\t' '  ')
said=$(tmux \
  set-option -w -t "$window" remain-on-exit on \; \
  set-option -wq -t "$window" remain-on-exit-format '' \; \
  set-option -w -t "$window" automatic-rename off \; \
  set-option -w -t "$window" allow-rename off \; \
  set-option -w -t "$window" monitor-bell on \; \
  set-option -w -t "$window" @pi_task_command "$(argument "$shown")" \; \
  set-option -w -t "$window" @pi_task_cwd "$(argument "$cwd")" \; \
  set-hook -w -t "$window" 'pane-died[9010]' "wait-for -S $channel" \; \
  set-option -t "=$session:" bell-action any \; \
  set-hook -t "=$session:" 'alert-bell[9010]' \
  "set-option -wF @pi_tmux_task_bell_count '#{e|+|:0#{@pi_tmux_task_bell_count},1}' ; wait-for -S $channel" \; \
  set-hook -t "=$session:" 'window-unlinked[9010]' "wait-for -S $channel" \; \
  set-environment -t "=$session:" PI_TMUX_SESSION "$session" \; \
  respawn-window -k -t "$window" -c "$folder" -e "PI_TMUX_SESSION=$session" -e "PATH=$(argument "$caller_path")" \
  "$shell" -c "$run" pi-task "$shell" "$(argument "$command")" \; \
  wait-for -S "$channel" 2>&1) || fail "tmux cannot start '$task': $said" \
  "put a very long command into a script file: pi-tmux-task-run $task -- 'sh ./script.sh'"

printf 'session=%s\nwindow_id=%s\ntask=%s\ncwd=%s\n' "$session" "$window" "$task" "$cwd"
