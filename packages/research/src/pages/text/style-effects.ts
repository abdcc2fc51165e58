/** What the declarations of a style do to the text of an element. */

/** By what a text may be hidden; a later declaration of the same kind counts. */
export type Effect = "display" | "visibility" | "opacity" | "size" | "place" | "colour";

/** These are used as well by pages whose scripts show the text as soon as they run. */
export const FAINT: ReadonlySet<Effect> = new Set(["opacity", "size", "place", "colour"]);

export interface StyleEffect {
  property: Effect;
  hides: boolean;
  isImportant: boolean;
}

const MAX_LENGTH = 2_000;
const IMPORTANT = /!\s?important$/;
/** What they say may change as soon as the page is seen. */
const MOVING = /^(?:transition|animation|will-change)/;
/** Beside these a text without a colour is seen by its shadow, or by the picture behind it. */
const PAINTED = /^(?:text-shadow|background-clip|-webkit-background-clip|-webkit-text-)/;
const ZERO = /^[+-]?0(?:\.0{1,5})?(?:[a-z]{1,4}|%)?$/;
const TINY = /^[01]px$/;
const FAR = /^-\d{3,5}(?:\.\d{1,5})?(?:px|em|rem|vw|vh|%)$/;
const CLIPPED = /^(?:rect\((?:[01](?:px)?[,\s]{0,3}){4}\)|inset\((?:50|100)%\))$/;
const NO_COLOUR = /^(?:transparent|rgba?\([^()]{1,40}[,/]\s?0(?:\.0{1,5})?%?\))$/;

/** Reads declarations; of those that hide or show nothing none is given. */
export function effectsOf(style: string): StyleEffect[] {
  const said = new Map<string, { value: string; isImportant: boolean }>();
  for (const declaration of withoutComments(style.slice(0, MAX_LENGTH)).toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    const [name, value] = [declaration.slice(0, Math.max(0, colon)).trim(), declaration.slice(colon + 1).trim()];
    const isImportant = IMPORTANT.test(value.slice(-12));
    if (name !== "")
      said.set(name, { value: isImportant ? value.slice(0, value.lastIndexOf("!")).trim() : value, isImportant });
  }
  const effects: StyleEffect[] = [];
  for (const [property, { names, hides }] of Object.entries(KINDS) as [Effect, KindOfEffect][]) {
    const own = names.filter((name) => said.has(name));
    if (own.length === 0) continue;
    const valueBy = (name: string) => said.get(name)?.value ?? "";
    effects.push({
      property,
      hides: hides(valueBy, [...said.keys()]),
      isImportant: own.some((name) => said.get(name)?.isImportant),
    });
  }
  return effects;
}

/** CSS without its comments. */
export function withoutComments(css: string): string {
  return css
    .split("/*")
    .map((part, at) => (at === 0 ? part : part.includes("*/") ? part.slice(part.indexOf("*/") + 2) : ""))
    .join(" ");
}

interface KindOfEffect {
  names: readonly string[];
  hides: (valueBy: (name: string) => string, all: readonly string[]) => boolean;
}

const KINDS: Readonly<Record<Effect, KindOfEffect>> = {
  display: { names: ["display"], hides: (valueBy) => valueBy("display") === "none" },
  visibility: {
    names: ["visibility", "content-visibility"],
    hides: (valueBy) =>
      /^(?:hidden|collapse)$/.test(valueBy("visibility")) || valueBy("content-visibility") === "hidden",
  },
  opacity: {
    names: ["opacity"],
    // What is moved as well comes into sight.
    hides: (valueBy, all) =>
      ZERO.test(valueBy("opacity")) && !all.some((name) => MOVING.test(name) || name === "transform"),
  },
  size: {
    names: ["font-size", "font"],
    hides: (valueBy) => ZERO.test(valueBy("font-size")) || /^0(?:px)?\//.test(valueBy("font")),
  },
  place: {
    names: [
      "clip",
      "clip-path",
      "text-indent",
      "left",
      "right",
      "top",
      "margin-left",
      "overflow",
      "height",
      "max-height",
      "width",
      "transform",
    ],
    hides: (valueBy, all) => isElsewhere(valueBy) && !all.some((name) => MOVING.test(name)),
  },
  colour: {
    names: ["color"],
    hides: (valueBy, all) => isOfGround(valueBy) && !all.some((name) => PAINTED.test(name)),
  },
};

/** Outside of the screen, cut away, or in a box without room. */
function isElsewhere(valueBy: (name: string) => string): boolean {
  const isPlaced = /^(?:absolute|fixed)$/.test(valueBy("position"));
  const isFar = ["left", "right", "top"].some((name) => FAR.test(valueBy(name)));
  const isCut = /^(?:hidden|clip)$/.test(valueBy("overflow"));
  const [height, width] = [valueBy("height") || valueBy("max-height"), valueBy("width")];
  return (
    (isPlaced && (isFar || CLIPPED.test(valueBy("clip")))) ||
    CLIPPED.test(valueBy("clip-path")) ||
    FAR.test(valueBy("text-indent")) ||
    FAR.test(valueBy("margin-left")) ||
    /scale[xy]?\(0\)/.test(valueBy("transform")) ||
    (isCut && (ZERO.test(height) || ZERO.test(width) || (TINY.test(height) && TINY.test(width))))
  );
}

/** Without a colour, or with that of what stands behind. */
function isOfGround(valueBy: (name: string) => string): boolean {
  const [colour, ground] = [valueBy("color"), valueBy("background-color") || valueBy("background")];
  return NO_COLOUR.test(colour) || colour === ground;
}
