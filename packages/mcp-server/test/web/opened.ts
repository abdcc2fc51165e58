import { onTestFinished } from "vitest";
import { WebServer } from "../../src/web/web-server.js";
import { fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

/** The pages of a person whose researches say what the test tells them. */
export async function opened() {
  const research = fakeResearch();
  const files = createMemoryFiles();
  const jobs = personsJobs({
    research: async () => research,
    files,
    log: () => {},
    own: processOf(1),
    isGone: () => false,
  });
  const forgotten: string[] = [];
  const forget = async (id: string) => void forgotten.push(id);
  const server = new WebServer({ jobs, forget, generator: "test 1", log: () => {} });
  const address = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await jobs.close();
  });
  return { research, jobs, forgotten, server, address, origin: new URL(address).origin };
}
