import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createEvidenceFile, type QuoteToday, recheckQuotes, verifyEvidenceFile } from "@x/research/evidence";
import { createFilePageStore, createFileRunStore, loadPrompts } from "@x/research/node";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { KINDS } from "../../isolation/kinds.js";
import { isForPlan } from "../../jobs/plans.js";
import { pagesOptions } from "../../research.js";
import { fileProblem, readProblem } from "../../text/file-problem.js";
import { plainLine } from "../../text/plain-text.js";
import { documentsIn } from "../../tools/index.js";
import { fail, failureOf } from "../terminal/fail.js";
import { told } from "../terminal/told.js";
import { problemOf } from "./output.js";
import { openSession } from "./session.js";
import { unknownId, type Which, whichResearch } from "./which.js";

/** Writes the evidence of a research into a file. Gives the exit code. */
export async function writeEvidence(
  which: Which,
  { out, force = false }: { out: string; force?: boolean },
  io: Io,
): Promise<number> {
  const file = resolve(io.host.cwd, out);
  const problem = await problemOf(file, { mayExist: force });
  if (problem !== undefined)
    return fail({ code: "INVALID_INPUT", message: `--out ${out}: it cannot be written: ${problem}.` }, {}, io);
  const session = openSession(io);
  const { configDir, promptsDir } = session.config;
  try {
    const refuse = (message: string) => fail(failureOf(invalid(message), io), {}, io);
    const found = await whichResearch(session.jobs, which, io.command);
    if ("missing" in found) return refuse(found.missing);
    const record = await session.jobs.look(found.id);
    if (record === undefined) return refuse(unknownId(found.id, io.command));
    if (isForPlan(record.request)) return refuse(`${record.id} is a plan: nothing was researched for it.`);
    if (!KINDS[record.tool].keepsEvidence || record.researchId === undefined)
      return refuse("Of this research no evidence is kept: only search and deep-search have some.");
    const bytes = await createEvidenceFile(record.researchId, {
      store: createFileRunStore({ directory: join(configDir, "rounds") }),
      pageStore: createFilePageStore({ directory: join(configDir, "pages") }),
      prompts: await loadPrompts(promptsDir, session.warn),
    });
    await writeFile(file, bytes, { flag: force ? "w" : "wx" });
    const next = `\`${io.command} verify ${out}\` checks it.`;
    io.stderr.write(told("✓", `Wrote ${out} (${bytes.length} bytes). ${next}`, io.stderr, io.env));
    return EXIT.ok;
  } catch (error) {
    return fail(failureOf(inWords(error, out, fileProblem), io), {}, io);
  } finally {
    await session.close();
  }
}

/** Checks an evidence file, and on demand its pages as they are now. Gives the exit code: 1 when something differs. */
export async function verifyEvidence(file: string, { online }: { online: boolean }, io: Io): Promise<number> {
  const say = (sign: Parameters<typeof told>[0], words: string) =>
    io.stdout.write(told(sign, plainLine(words), io.stdout, io.env));
  try {
    const { question, problems, evidence } = await verifyEvidenceFile(await readFile(resolve(io.host.cwd, file)));
    say("?", question);
    for (const problem of problems) say("✗", problem);
    const { claims, pages, proven } = evidence;
    const share = proven === null ? "no claims" : `${Math.floor(proven * 100)} % of ${claims.length} claims proven`;
    if (problems.length === 0) say("✓", `All stands as it was computed: ${share}, ${pages.length} pages.`);
    const today = online ? await quotesToday(evidence, io) : [];
    for (const { url, text, now, reason, archived } of today) {
      const words = `"${text.slice(0, 200)}"`;
      if (now === "own") say("-", `not looked at, since it is a document of your own: ${words} in ${url}`);
      else say(now === "stands" ? "✓" : "✗", `${now} at ${url}: ${words}${reason === undefined ? "" : ` (${reason})`}`);
      if (archived !== undefined) say(" ", `a copy of then: ${archived}`);
    }
    if (today.some(({ now }) => now === "own"))
      say(" ", "Documents are read again from the folders in RESEARCH_ROOTS alone.");
    const differs = today.some(({ now }) => now === "changed" || now === "gone");
    return problems.length > 0 || differs ? EXIT.failed : EXIT.ok;
  } catch (error) {
    return fail(failureOf(inWords(error, file, readProblem), io), {}, io);
  }
}

async function quotesToday(evidence: Parameters<typeof recheckQuotes>[0], io: Io): Promise<QuoteToday[]> {
  const { createPages } = await import("@x/research/pages");
  const { config, problems } = loadConfig(io);
  for (const problem of problems) io.stderr.write(told("!", plainLine(problem), io.stderr, io.env));
  const pages = createPages(pagesOptions(config, io.env));
  const { archive, roots = [] } = config;
  const document = async (url: string) => {
    const files = await documentsIn([url], roots).catch((error: { reason?: string }) => {
      if (error.reason === "gone") throw new Error("it is not there any more");
      return undefined;
    });
    return files && pages.read(url, { files });
  };
  try {
    return await recheckQuotes(evidence, (url) => pages.read(url), { document, ...(archive !== null && { archive }) });
  } finally {
    await pages.close();
  }
}

function invalid(message: string): Error {
  return Object.assign(new Error(message), { code: "INVALID_INPUT" });
}

/** What a system says of a file, as a person would. */
function inWords(error: unknown, file: string, problemOf: (error: unknown) => string): unknown {
  const { syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === undefined ? error : invalid(`${file}: ${problemOf(error)}`);
}
