// npm would publish `workspace:` and `catalog:` ranges and the source condition as they stand; pnpm rewrites them.
if (!process.env.npm_config_user_agent?.startsWith("pnpm/")) {
  console.error("Publish with `npm run pack` and scripts/release/publish.mjs: npm does not rewrite workspace ranges.");
  process.exitCode = 1;
}
