import { type Screen, screenOf } from "../../../src/cli/terminal/paint.js";

/** A screen without colours and links. */
export function plainScreen(columns = 60): Screen {
  return screenOf({ isTTY: true, columns }, { NO_COLOR: "1" });
}
