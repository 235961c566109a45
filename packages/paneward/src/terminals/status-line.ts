// Inside another tmux, which names the terminal, that one takes C-b first unless its user chose another prefix.
const leave = "#{?#{m/r:^(tmux|screen),#{client_termname}},C-b C-b d (C-b d if your own prefix differs),C-b d}";

/** The status line of an attached client. tmux's default cuts session names after ten characters. */
export const statusLine: Readonly<Record<string, string>> = {
  "status-style": "bg=colour238,fg=colour252",
  "status-left": "#[bold] #{s/^paneward-//:session_name} ",
  "status-left-length": "60",
  "window-status-format": "#{?#{==:#{session_windows},1},,#I:#W#F}",
  "window-status-current-format": "#{?#{==:#{session_windows},1},,#[bold]#I:#W#F}",
  // What ended shows its last screen, which looks like one that hangs.
  "status-right": `#{?pane_dead,#[reverse] the program has ended #[noreverse] ${leave} leaves, ${leave} leaves it running} `,
  "status-right-length": "90",
};
