import type { Command } from "../command.ts";

export const serviceCommands: readonly Command[] = [
  {
    name: "service install",
    operations: ["shutdown", "ping"],
    summary: "run the daemon as a service of systemd or launchd; again: repair or move it",
    details:
      "It begins with the machine, outlasts your logout and comes back after a crash. A daemon that runs is replaced; " +
      "terminals keep running. Needs lingering, and switches it on: without it a service would end with your last " +
      "logout, so nothing is made and the exit code is 11.",
    page: "service.md",
    options: [["--dry-run", "only show what would be changed, line by line"]],
    examples: ["paneward service install", "paneward service install --dry-run"],
    run: async (call) => (await import("../service/run-install.ts")).installService(call),
  },
  {
    name: "service uninstall",
    operations: [],
    summary: "take back what install made; terminals keep running",
    details: "The daemon of the service stops. Any command starts one of its own then.",
    page: "service.md#taking-it-back",
    examples: ["paneward service uninstall"],
    run: async (call) => (await import("../service/run-uninstall.ts")).uninstallService(call),
  },
  {
    name: "service status",
    operations: ["ping"],
    summary: "whether it is installed, runs, and outlasts a logout",
    details:
      "Exit code 3: it is not installed or does not run; 6: it does not begin by itself, or is of another " +
      "installation; 11: it does not linger.",
    page: "service.md#its-state",
    examples: ["paneward service status", "paneward service status --json"],
    run: async (call) => (await import("../service/run-status.ts")).serviceStatus(call),
  },
  {
    name: "service logs",
    operations: [],
    summary: "the last lines of the daemon's log, and those that follow",
    page: "service.md#its-state",
    options: [
      ["--lines <n>", "how many lines (default: 50)"],
      ["--follow", "keep printing new lines until Ctrl-C"],
    ],
    json: false,
    examples: ["paneward service logs", "paneward service logs --lines 200", "paneward service logs --follow"],
    run: async (call) => (await import("../service/run-logs.ts")).serviceLogs(call),
  },
];
