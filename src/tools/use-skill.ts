// Skills: instructions for a kind of task that lie in the workspace and are read when they are needed.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { isAbsence } from "../vocabulary/index.ts";
import { readText } from "./read-text.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

const folderName = ".callwright/skills";

/** Reads `.callwright/skills/NAME.md` and `.callwright/skills/NAME/SKILL.md`, by name; what is no text is left out. */
export async function loadSkills(workspace: Workspace): Promise<readonly Skill[]> {
  const folder = path.join(workspace.root, folderName);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsence(error)) return [];
    throw error;
  });
  const skills: Skill[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const written = `${folderName}/${entry.name}${entry.isDirectory() ? "/SKILL.md" : ""}`;
    if (!written.endsWith(".md")) continue;
    // A folder without SKILL.md is no skill, and neither is a link that leads outside.
    const real = await workspace.existing(written).catch(() => undefined);
    if (real === undefined) continue;
    const file = await readText(workspace, real);
    if (file.type === "text") skills.push(readSkill(entry.name.replace(/\.md$/, ""), file.text));
  }
  return skills;
}

/** The names are an enum of the schema, so that none is invented. Undefined where there is no skill. */
export function skillTool(skills: readonly Skill[]): Tool | undefined {
  if (skills.length === 0) return undefined;
  const list = skills.map(({ name, description }) => `${name}: ${description}`).join("; ");
  return defineTool<{ readonly name: string }>({
    name: "use_skill",
    description: `Read the instructions for a kind of task before you do it. ${list}`,
    shortDescription: `Read instructions. ${list}`,
    inputSchema: {
      type: "object",
      properties: { name: { enum: skills.map(({ name }) => name) } },
      required: ["name"],
      additionalProperties: false,
    },
    permissions: ["skill"],
    concurrency: "parallel",
    execute: async ({ name }, context) => {
      await context.ask({ permission: "skill", patterns: [name] });
      const skill = skills.find((candidate) => candidate.name === name);
      return { text: skill?.text ?? "", title: name };
    },
  });
}

/** Front matter may name it and say what it is for; else its first line does. */
function readSkill(fileName: string, raw: string): Skill {
  const [, head = "", body = raw] = /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(raw) ?? [];
  const field = (key: string) =>
    new RegExp(`^${key}:\\s*(.+?)\\s*$`, "m").exec(head)?.[1]?.replace(/^["']|["']$/g, "");
  const text = body.trim();
  const [firstLine = ""] = text.split("\n");
  return {
    name: field("name") ?? fileName,
    description: field("description") ?? firstLine.replace(/^#+\s*/, "").slice(0, 120),
    text,
  };
}
