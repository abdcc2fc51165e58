/** ESM for the oldest Node we support; the declarations are written by tsc. */
export const library = {
  entry: ["src/index.ts"],
  format: "esm" as const,
  target: "node20",
  platform: "node" as const,
  dts: false,
  clean: true,
  splitting: true,
  sourcemap: false,
};
