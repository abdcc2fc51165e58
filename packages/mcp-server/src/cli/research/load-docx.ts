import type { DocxPackage } from "../../report/docx.js";

/** The package `docx`, which is installed beside this one by whoever wants it. Rejects with how. */
export async function loadDocx(find: () => Promise<DocxPackage> = () => import("docx")): Promise<DocxPackage> {
  try {
    return await find();
  } catch (cause) {
    const message = "DOCX needs the package docx, which is not installed.";
    const details =
      "Install it beside this one: npm install -g docx, or without -g in the project that has this one. Without an installation: npx -p docx -p @x/mcp-server x-research export …";
    throw Object.assign(new Error(message, { cause }), { code: "EXECUTION_ERROR", details });
  }
}
