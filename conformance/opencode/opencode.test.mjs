// OpenCode, a coding agent with a loop of its own, in a home that is thrown away and with its network switches off. It is
// done when its answer quotes a file that only its tool could read.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { real, withWeights } from "../common.mjs";
import { startRecuttingProxy } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

const binary = fileURLToPath(new URL("node_modules/.bin/opencode", import.meta.url));
const switches = [
  ...["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE", "EXTERNAL_SKILLS"],
  ...["CLAUDE_CODE", "EMBEDDED_WEB_UI"],
];

/** A project with a secret in it. */
function createProject() {
  const folder = mkdtempSync(path.join(tmpdir(), "callwright-opencode-"));
  const project = path.join(folder, "project");
  const secret = String(randomInt(100_000, 999_999));
  return { folder, project, secret, file: path.join(project, "secret.txt") };
}

/** Runs `opencode run` with an agent of two tools; gives what it printed. */
async function runOpenCode({ url, model, project, folder, prompt }) {
  const config = {
    provider: {
      local: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: "none", headerTimeout: 900_000, chunkTimeout: 900_000 },
        models: { [model]: { name: model, limit: { context: 8192, output: 512 } } },
      },
    },
    model: `local/${model}`,
    autoupdate: false,
    share: "disabled",
    agent: {
      title: { disable: true },
      tester: {
        mode: "primary",
        prompt: "You answer questions about files. Read a file with the tool read before you speak about it.",
        tools: { "*": false, read: true, bash: true },
      },
    },
  };
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ...Object.fromEntries(
      ["DATA", "CONFIG", "STATE", "CACHE"].map((kind) => [`XDG_${kind}_HOME`, path.join(folder, kind)]),
    ),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    ...Object.fromEntries(switches.map((name) => [`OPENCODE_DISABLE_${name}`, "1"])),
  };
  const child = spawn(binary, ["run", "--agent", "tester", prompt], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  assert.equal(code, 0, stderr);
  return stdout;
}

async function within(serverUrl, check) {
  const setting = createProject();
  const proxy = await startRecuttingProxy(serverUrl, 11);
  try {
    mkdirSync(setting.project, { recursive: true });
    writeFileSync(setting.file, `The secret number is ${setting.secret}.\n`);
    return await check({ ...setting, url: proxy.url });
  } finally {
    await proxy.close();
    rmSync(setting.folder, { recursive: true, force: true });
  }
}

test("reads a file with its tool and quotes it", { timeout: 180_000 }, async () => {
  // The path of the project is drawn first, for the script has to name it.
  const replies = [];
  await withScripted(replies, (server) =>
    within(server.url, async ({ secret, file, ...setting }) => {
      replies.push(writeCall("read", { filePath: file }), `It says: the secret number is ${secret}.`);
      const prompt = "What is the secret number in secret.txt?";
      const stdout = await runOpenCode({ ...setting, model: "scripted", prompt });
      assert.match(stdout, new RegExp(`It says: the secret number is ${secret}`));
      const texts = server.requests.map((request) => request.prompt.map(({ text }) => text).join(""));
      const prompts = [...new Set(texts)];
      assert.equal(prompts.length, 2);
      // The tool's own result, which nobody else could have given.
      assert.ok(prompts[1].includes(`The secret number is ${secret}.`));
      assert.ok(!prompts[0].includes(secret));
    }),
  );
});

test("real weights: a whole loop of tools", withWeights, () =>
  within(real.url, async ({ secret, ...setting }) => {
    const prompt =
      "Read the file secret.txt with the tool read. Then tell me the secret number that is in it.";
    const stdout = await runOpenCode({ ...setting, model: real.model, prompt });
    assert.ok(stdout.includes(secret), `the answer does not quote ${secret}: ${stdout}`);
  }),
);
