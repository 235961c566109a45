/** The status line of an attached client. tmux's default cuts session names after ten characters. */
export const statusLine: Readonly<Record<string, string>> = {
  "status-style": "bg=colour238,fg=colour252",
  "status-left": "#[bold] #{s/^paneward-//:session_name} ",
  "status-left-length": "60",
  "window-status-format": "#{?#{==:#{session_windows},1},,#I:#W#F}",
  "window-status-current-format": "#{?#{==:#{session_windows},1},,#[bold]#I:#W#F}",
  "status-right": " C-b d leaves it running ",
};
