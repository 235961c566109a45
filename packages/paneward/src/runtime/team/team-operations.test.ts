import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ErrorCode } from "@paneward/sdk";
import { teamStage } from "../../../test/support/team-stage.ts";
import { TeamFailure, type TeamFailureCode } from "../../model/team/failure.ts";
import type { RuntimeFiles } from "./runtime-files.ts";
import { teamOperations } from "./team-operations.ts";

describe("a failure of a team reaches the command line and MCP", () => {
  const cases: readonly (readonly [failure: TeamFailureCode, code: ErrorCode, hint: RegExp])[] = [
    ["INVALID_TASK", "bad_input", /correct the input/],
    ["UNAUTHORIZED", "unauthorized", /token/],
    ["LEASE_EXPIRED", "not_allowed", /holds the task's lease/],
    ["LEASE_HOLDER_MISMATCH", "not_allowed", /holds the task's lease/],
    ["TASK_NOT_FOUND", "not_found", /team tasks/],
    ["EPOCH_MISMATCH", "conflict", /team tasks/],
    ["PAYLOAD_TOO_LARGE", "too_large", /send less/],
    ["TOO_MANY_REQUESTS", "rate_limited", /wait a moment/],
    ["INTERNAL_ERROR", "unexpected", /log/],
    ["WORKER_UNREACHABLE", "unavailable", /doctor/],
  ];
  for (const [failure, code, hint] of cases) {
    test(`${failure} as ${code}, with its message`, async (t) => {
      const files: Pick<RuntimeFiles, "open"> = {
        open: async () => {
          throw new TeamFailure(failure, "why it failed");
        },
      };
      const { team_open: open } = teamOperations(teamStage(t), files as RuntimeFiles);
      await assert.rejects(async () => open({ team: "demo" }), { code, message: "why it failed", hint });
    });
  }
});
