import { httpError } from "@x/gemini-runner/testing";
import { answered } from "../rig/fake-gemini.js";
import { failed, ofGroup } from "./fault.js";
import { during, ofFake, ofModel } from "./plays.js";
import { REPORT } from "./world.js";

export const cliFaults = ofGroup("The CLI", [
  {
    name: "no CLI",
    by: "no `gemini` on PATH",
    withinMs: 3_000,
    play: during({
      arrange: ({ sandbox, env }) => {
        delete env["GEMINI_CLI_PATH"];
        return sandbox.installText("not a program", 0o644);
      },
      heal: ({ sandbox }) => sandbox.installCli(),
      expected: failed("CLI_NOT_FOUND", /npm install -g @google\/gemini-cli/),
    }),
  },
  {
    name: "not executable",
    by: "`GEMINI_CLI_PATH` names a file without the right to run it",
    withinMs: 3_000,
    play: during({
      arrange: ({ sandbox }) => sandbox.installText("#!/bin/sh\necho no\n", 0o644),
      heal: ({ sandbox }) => sandbox.installCli(),
      expected: failed("EXECUTION_ERROR", /chmod|executable|GEMINI_CLI_PATH/),
    }),
  },
  {
    name: "wrong version",
    by: "a package of the CLI's name, version 0.1.9",
    withinMs: 3_000,
    play: during({
      arrange: ({ sandbox }) => sandbox.installVersion("0.1.9"),
      heal: ({ sandbox }) => sandbox.installCli(),
      expected: failed("EXECUTION_ERROR", /npm install -g @google\/gemini-cli|update/i),
    }),
  },
  {
    name: "untrusted folder",
    by: "fake CLI: its words and exit code 55",
    withinMs: 5_000,
    play: ofFake(
      [
        {
          do: "stderr",
          text: "Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode.\n",
        },
        { do: "exit", code: 55 },
      ],
      failed("EXECUTION_ERROR", /trust/i),
    ),
  },
  {
    name: "no sign-in",
    by: "real CLI without a key or a login",
    withinMs: 15_000,
    play: during({
      arrange: ({ env }) => {
        delete env["GEMINI_API_KEY"];
        delete env["GOOGLE_GEMINI_BASE_URL"];
      },
      // Who is signed in is in the server's environment: that it answers at all is shown by a CLI without a login.
      heal: ({ sandbox }) => sandbox.installFake(answered(JSON.stringify({ success: true, report: REPORT }))),
      expected: failed("AUTH_REQUIRED", /GEMINI_API_KEY/),
    }),
  },
  {
    name: "login of an individual",
    by: "fake CLI: its words since 2026-06-18",
    withinMs: 5_000,
    play: ofFake(
      [
        {
          do: "stderr",
          text: "Error authenticating: IneligibleTierError: This client is no longer supported for Gemini Code Assist for individuals. To continue using Gemini, please migrate to the Antigravity suite of products: https://antigravity.google\n    at _doSetupUser (file:///gemini.js:1:5) {\n  ineligibleTiers: [ { reasonCode: 'UNSUPPORTED_CLIENT', tierId: 'free-tier' } ]\n}\n",
        },
        { do: "exit", code: 1 },
      ],
      failed("AUTH_REQUIRED", /individual[\s\S]*GEMINI_API_KEY/),
    ),
  },
  {
    name: "bad key",
    by: "model server: 400 `API_KEY_INVALID`",
    withinMs: 15_000,
    play: ofModel(() => httpError("bad-key"), failed("AUTH_REQUIRED", /GEMINI_API_KEY/)),
  },
]);
