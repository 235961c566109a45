import assert from "node:assert/strict";
import type { Client } from "@modelcontextprotocol/client";
import type { Model, Result } from "../../capability/support/model.ts";

/** A model that uses the capability through the tool `tmux`. */
export function modelOver(client: Client): Model {
  const use = async (input: Readonly<Record<string, unknown>>) => {
    const { structuredContent, isError } = await client.callTool({ name: "tmux", arguments: { ...input } });
    const { results } = structuredContent as { readonly results: readonly Result[] };
    assert.equal(isError === true, !results.every(({ success }) => success));
    return results;
  };
  return {
    host: undefined,
    says: (text) => use({ text }),
    async does(action, params = {}) {
      const [result] = await use({ action, params });
      assert.ok(result?.success, JSON.stringify(result));
      return result.data;
    },
    async isRefused(action, params = {}) {
      const [result] = await use({ action, params });
      assert.ok(result && !result.success, JSON.stringify(result));
      return result;
    },
  };
}
