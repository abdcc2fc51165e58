import { writeFileSync } from "node:fs";
import { reportPage } from "../../src/html/page.js";
import { sampleReport } from "./sample-report.js";

writeFileSync("/tmp/sample.html", reportPage(sampleReport, { generator: "@x/mcp-server 0.0.0" }));
