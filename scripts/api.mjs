#!/usr/bin/env node
// What a package promises to others, as the built package has it: the declarations that a program can import, or the tools
// and commands of a program. Written into api.md beside the manifest, so that a review shows every change of it.
//   api.mjs [--write] [FOLDER …]    of these packages, else of the one in the working directory
// Without `--write`: exit 1 when the page is stale.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, relative, resolve } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { parseSync } from "oxc-parser";
import { askServer } from "./mcp-over-stdio.mjs";

const write = process.argv.includes("--write");
const folders = process.argv.slice(2).filter((word) => word !== "--write");
for (const folder of folders.length > 0 ? folders : ["."]) {
  const root = resolve(folder);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // A library may have a command too; only a server is asked over MCP.
  const parts = manifest.mcpName === undefined ? declarationsOf(root, manifest) : await programOf(root, manifest);
  const head = `# What ${manifest.name} promises\n\nWritten by \`npm run api\`; \`npm run lint\` fails when it is stale.`;
  const text = `${[head, ...parts].join("\n\n")}\n`;
  const page = join(root, "api.md");
  if (write) writeFileSync(page, text);
  else if (!existsSync(page) || readFileSync(page, "utf8").replaceAll("\r\n", "\n") !== text) {
    console.error(`${manifest.name}: api.md is stale. Look at what changes: npm run api, then git diff`);
    process.exitCode = 1;
  }
}

/** The declarations of every entry that has some. */
function declarationsOf(root, { name, publishConfig }) {
  const scratch = mkdtempSync(join(tmpdir(), "api-"));
  const undocumented = [];
  try {
    const entries = Object.entries(publishConfig.exports).filter(([, target]) => target.types !== undefined);
    return entries.map(
      ([entry, { types }]) =>
        `## \`${posix.join(name, entry)}\`\n\n${report(root, join(root, types), scratch, undocumented)}`,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    for (const one of undocumented) console.error(`${name}: ${one}`);
    if (undocumented.length > 0) process.exitCode = 1;
  }
}

/** The report of one entry; what has no docstring is added to `undocumented`. */
function report(root, mainEntryPointFilePath, scratch, undocumented) {
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  };
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        reportFileName: "entry.api.md",
        reportFolder: scratch,
        reportTempFolder: join(scratch, "temp"),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: {
          default: { logLevel: "error" },
          "ae-undocumented": { logLevel: "warning" },
          // Every export is public; what an export's type names is listed beside it.
          "ae-missing-release-tag": { logLevel: "none" },
          "ae-forgotten-export": { logLevel: "none" },
        },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
  });
  const messageCallback = (message) => {
    // An index signature cannot have a name that says it.
    if (message.messageId === "ae-undocumented" && !message.text.includes('"__index"')) {
      const file = relative(root, message.sourceFilePath).replace(/^dist(.*)\.d\.ts$/, "src$1.ts");
      undocumented.push(`${file}: ${message.text}`);
      message.handled = true;
    }
    // It tells of its compiler, and of the report that it finds nowhere.
    if (message.logLevel !== "error") message.handled = true;
  };
  const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback });
  if (!succeeded) throw new Error(`${mainEntryPointFilePath}: API Extractor found errors`);
  const text = readFileSync(join(scratch, "entry.api.md"), "utf8").replaceAll("\r\n", "\n");
  const exported = new Set([...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name));
  undocumented.push(...silentMembers(root, exported));
  return text
    .slice(text.indexOf("```ts"))
    .replace("\n// (No @packageDocumentation comment for this package)\n", "")
    .trimEnd();
}

/** The members of exported unions that neither have a docstring nor consist of what has one. API Extractor does not look there. */
function silentMembers(root, exported) {
  const folder = join(root, "dist");
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".d.ts"));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const { program, comments } = parseSync(file, text);
    const ends = comments.filter(({ value }) => value.startsWith("*")).map(({ end }) => end);
    const isTold = ({ start }) => ends.some((end) => end <= start && /^[\s|]*$/.test(text.slice(end, start)));
    const says = (member) => isTold(member) || member.typeAnnotation?.typeAnnotation.type === "TSLiteralType";
    return program.body
      .map((statement) => statement.declaration ?? statement)
      .filter(({ type, id }) => type === "TSTypeAliasDeclaration" && exported.has(id.name))
      .flatMap(({ id, typeAnnotation: { types = [] } }) =>
        types
          .filter((one) => one.type === "TSTypeLiteral" && !isTold(one) && !one.members.every(says))
          .map((one) => {
            const [what] = text
              .slice(one.start, one.end)
              .replace(/\s+/g, " ")
              .match(/^.{1,60}/);
            return `${posix.join("src", file.replace(/\.d\.ts$/, ".ts"))}: Missing documentation for "${id.name}": ${what}`;
          }),
      );
  });
}

/** What a program says over MCP, and the options of its commands, from its own completion. */
async function programOf(root, { bin }) {
  // The last is for people.
  const [name, file] = Object.entries(bin).at(-1);
  const program = join(root, file);
  const home = mkdtempSync(join(tmpdir(), "api-"));
  try {
    const env = { PATH: "", HOME: home, GEMINI_SEARCH_CONFIG_DIR: join(home, "config") };
    const { stdout } = spawnSync(process.execPath, [program, "completion", "bash"], { env, encoding: "utf8" });
    const commands = [...stdout.matchAll(/^ *"([\w-]+) "\*\) words="(.*)" ;;$/gm)];
    const rows = commands.map(([, command, words]) => `| \`${name} ${command}\` | ${words.replace(/ *\$\(.*/, "")} |`);
    const methods = ["tools/list", "prompts/list", "resources/templates/list"];
    const answers = await askServer(
      process.execPath,
      [program],
      env,
      methods.map((method) => [method]),
    );
    return [
      `## Commands\n\n| command | options |\n|---|---|\n${rows.join("\n")}`,
      ...answers.map((answer, i) => `## \`${methods[i]}\`\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
