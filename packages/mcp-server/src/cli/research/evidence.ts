import { join, resolve } from "node:path";
import { fileProblem, readProblem, withFile } from "@x/owned-files";
import { createEvidenceFile, type QuoteToday, recheckQuotes, verifyEvidenceFile } from "@x/research/evidence";
import { createFilePageStore, createFileRunStore, loadPrompts } from "@x/research/node";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { KINDS } from "../../isolation/kinds.js";
import { isForPlan } from "../../jobs/plans.js";
import { pagesOptions } from "../../research.js";
import { plainLine } from "../../text/plain-text.js";
import { documentsIn } from "../../tools/index.js";
import { fail, failureOf } from "../terminal/fail.js";
import { told } from "../terminal/told.js";
import { problemOf, STDOUT } from "./output.js";
import { finishedRecord } from "./show-research.js";
import type { Which } from "./which.js";
import { writeOut } from "./write-out.js";

/** More than what is in one may have unpacked. */
const MAX_BYTES = 400_000_000;

/** Writes the evidence of a research into a file. Gives the exit code. */
export async function writeEvidence(
  which: Which,
  { out, force = false }: { out: string; force?: boolean },
  io: Io,
): Promise<number> {
  const isPiped = out === STDOUT;
  const file = resolve(io.host.cwd, out);
  const problem = isPiped
    ? io.stdout.isTTY && "what is packed is nothing for a terminal"
    : await problemOf(file, { mayExist: force });
  if (problem)
    return fail({ code: "INVALID_INPUT", message: `--out ${out}: it cannot be written: ${problem}.` }, {}, io);
  const record = await finishedRecord(which, io);
  if (typeof record === "number") return record;
  const { configDir, promptsDir } = loadConfig(io).config;
  const refuse = (message: string) => fail(failureOf(invalid(message), io), {}, io);
  try {
    if (isForPlan(record.request)) return refuse(`${record.id} is a plan: nothing was researched for it.`);
    if (!KINDS[record.tool].keepsEvidence || record.researchId === undefined)
      return refuse("Of this research no evidence is kept: only search and deep-search have some.");
    const bytes = await createEvidenceFile(record.researchId, {
      store: createFileRunStore({ directory: join(configDir, "rounds") }),
      pageStore: createFilePageStore({ directory: join(configDir, "pages") }),
      prompts: await loadPrompts(promptsDir, (message) =>
        io.stderr.write(told("!", plainLine(message), io.stderr, io.env)),
      ),
    });
    if (isPiped) {
      io.stdout.write(bytes);
      return EXIT.ok;
    }
    await writeOut(file, bytes, { mayExist: force });
    const next = `\`${io.command} verify ${out}\` checks it.`;
    io.stderr.write(
      told("✓", `Wrote ${out} (${bytes.length.toLocaleString("en-GB")} bytes). ${next}`, io.stderr, io.env),
    );
    return EXIT.ok;
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) return fail(failureOf(error, io), {}, io);
    return fail({ code: "EXECUTION_ERROR", message: `${file} could not be written: ${fileProblem(error)}.` }, {}, io);
  }
}

/** Checks an evidence file, and on demand its pages as they are now. Gives the exit code: 1 when something differs. */
export async function verifyEvidence(file: string, { online }: { online: boolean }, io: Io): Promise<number> {
  const say = (sign: Parameters<typeof told>[0], words: string) =>
    io.stdout.write(told(sign, plainLine(words), io.stdout, io.env));
  try {
    const { question, problems, evidence } = await verifyEvidenceFile(await evidenceIn(file, io.host));
    say("?", question);
    for (const problem of problems) say("✗", problem);
    const { claims, pages, proven } = evidence;
    const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
    const share =
      proven === null ? "no claims" : `${Math.floor(proven * 100)} % of ${counted(claims.length, "claim")} proven`;
    if (problems.length === 0) say("✓", `All stands as it was computed: ${share}, ${counted(pages.length, "page")}.`);
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
    return fail(failureOf(error, io), {}, io);
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

/** The bytes of an evidence file. Rejects with what is wrong, as a person would say it. */
async function evidenceIn(file: string, { cwd }: Io["host"]): Promise<Uint8Array> {
  try {
    return await withFile(resolve(cwd, file), (opened) => opened.readFile(), { mostBytes: MAX_BYTES });
  } catch (error) {
    const isLonger = (error as NodeJS.ErrnoException).code === "EFBIG";
    if (!isLonger) throw invalid(`${file}: ${readProblem(error)}`);
    throw invalid(`${file} is larger than any evidence file. Expected what \`evidence ID --out FILE\` writes.`);
  }
}
