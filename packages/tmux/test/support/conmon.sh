#!/bin/sh
# Runs conmon for podman. After each `podman exec`, conmon starts podman once more to record how it ended, which podman
# has already done itself when it was attached; that doubles the cost of every program started in a container.
PATH=$PATH:/usr/libexec/podman:/usr/lib/podman
case " $* " in *" --exec-attach "*) ;; *) exec conmon "$@" ;; esac
skip=
for word; do
  shift
  if [ -n "$skip" ]; then
    skip=
  elif [ "$word" = --exit-command ] || [ "$word" = --exit-command-arg ]; then
    skip=1
  else
    set -- "$@" "$word"
  fi
done
exec conmon "$@"
