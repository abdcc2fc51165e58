/** The values that another one may be written as, where a schema asks for another type. */

/** No such key: of an object, that it is not there. */
export const ABSENT = Symbol("absent");

/** What may stand in the place of a value. */
export interface Alternative {
  by: unknown;
  /** Nothing is lost, and nothing else can be meant. */
  sure: boolean;
  /** The value stands under this key of the same object, which is written in another style. */
  from?: string;
  /** What it may be as well: not sure, if that fits too. */
  or?: unknown;
  /** What was inside of a string: what is wrong with it is looked at in its turn. */
  opened?: boolean;
}

/** A number as a text. */
export interface Digits {
  digits: string;
  /** They are those that it was written with. */
  sure: boolean;
}

/** Reads a text as JSON, repaired if need be; undefined if it is none. */
export type ReadText = (text: string) => { value: unknown; sure: boolean } | undefined;

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,2})?$/;
/** `1,234`: the comma may be that of a fraction. */
const ONE_GROUP = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/** `+42`, `1,234`, `$1,234.50`, with no more digits than a number holds. */
const WRITTEN_NUMBER =
  /^([+-]?)[$€£¥]?((?:0|[1-9]\d{0,14})(?:\.\d{1,12})?|[1-9]\d{0,2}(?:,\d{3}){1,4}(?:\.\d{1,12})?)$/;
const NOTHING = /^(?:null|none|nil|n\/a|-|)$/i;
const YES = /^(?:yes|1)$/i;
const NO = /^(?:no|0)$/i;
/** A text that may be several, or none; an address is one. */
const SEVERAL = /[,;|\n\r]/;
const ADDRESS = /^\w{2,10}:\/\//;
/** Parts of a list that was written as a text are short. */
const LISTED = /^[^,;]{1,60}$/;

const sure = (by: unknown): Alternative => ({ by, sure: true });
const unsure = (by: unknown): Alternative => ({ by, sure: false });

/** `In progress` and `in_progress` are the same word; `A` and `A-`, `1` and `-1`, `12` and `1-2` are not. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, (run, at: number, all: string) => {
    const [before, behind] = [all[at - 1], all[at + run.length]];
    const isSign = behind === undefined || (isDigit(behind) && (before === undefined || isDigit(before)));
    return isSign && (run.includes("-") || isDigit(before)) && run.trim() !== "" ? "-" : "";
  });
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= "0" && sign <= "9";
}

/** For a value at which something is wrong; `named` are the values that the schema names, `source` the digits of a number. */
export function* alternatives(
  value: unknown,
  { named, read, source }: { named: readonly unknown[]; read: ReadText | undefined; source: () => Digits | undefined },
): Generator<Alternative> {
  if (value === ABSENT || value === undefined) return;
  if (value === null) {
    yield sure(ABSENT);
    return;
  }
  yield* named.length > 0 ? namedLike(value, named) : [];
  if (typeof value === "string") yield* ofText(value, read);
  else if (typeof value === "number") {
    const written = source();
    if (written) yield { by: written.digits, sure: written.sure };
    if (value === 0 || value === 1) yield unsure(value === 1);
  } else if (typeof value === "boolean") yield sure(String(value));
  else if (!Array.isArray(value)) yield* ofNumberedKeys(value as Record<string, unknown>);
  if (Array.isArray(value)) return;
  yield { by: [value], sure: typeof value !== "string" || isOne(value.trim()) };
}

function isOne(text: string): boolean {
  return !NOTHING.test(text) && !SEVERAL.test(text) && (!text.includes("/") || ADDRESS.test(text));
}

/** One of several words, written in another style, or with a description behind it. */
function* namedLike(value: unknown, named: readonly unknown[]): Generator<Alternative> {
  if (typeof value !== "string") return;
  const word = plain(value);
  const same = named.filter((one) => typeof one === "string" && plain(one) === word);
  if (same.length === 1) yield sure(same[0]);
  const described = named.filter(
    (one) =>
      typeof one === "string" &&
      one !== "" &&
      /^\s*[-–—:,.(]/.test(value.slice(one.length)) &&
      plain(value.slice(0, one.length)) === plain(one),
  );
  if (described.length === 1) yield unsure(described[0]);
}

function* ofText(value: string, read: ReadText | undefined): Generator<Alternative> {
  const text = value.trim();
  if (/^(?:true|false)$/i.test(text)) yield sure(text.toLowerCase() === "true");
  if (NUMBER.test(text)) yield sure(Number(text));
  else {
    const [, sign, digits] = WRITTEN_NUMBER.exec(text) ?? [];
    if (digits !== undefined) {
      const by = Number(`${sign === "-" ? "-" : ""}${digits.replaceAll(",", "")}`);
      yield ONE_GROUP.test(text) ? { by, sure: true, or: Number(text.replace(",", ".")) } : sure(by);
    }
  }
  if (/^[[{]/.test(text)) {
    const inner = read?.(text);
    if (inner) yield { by: inner.value, sure: inner.sure, opened: true };
  }
  if (YES.test(text) || NO.test(text)) yield unsure(YES.test(text));
  if (NOTHING.test(text)) yield unsure(null);
  const parts = text.slice(0, 2_000).split(/[,;]/);
  if (parts.length > 1 && text.length <= 2_000 && parts.every((part) => LISTED.test(part.trim())))
    yield unsure(parts.map((part) => part.trim()));
}

/** `{"1": …, "2": …}` as a list. */
function* ofNumberedKeys(value: Record<string, unknown>): Generator<Alternative> {
  const keys = Object.keys(value);
  const first = Number(keys[0]);
  if (keys.length > 0 && first <= 1 && keys.every((key, nth) => key === String(first + nth)))
    yield unsure(keys.map((key) => value[key]));
}

/** The one key of an object that is the missing one in another style: `user_name`, `User name`. */
export function sameKey(container: unknown, missing: PropertyKey | undefined): string | undefined {
  if (typeof container !== "object" || container === null || Array.isArray(container)) return undefined;
  if (typeof missing !== "string" || plain(missing) === "") return undefined;
  const alike = Object.keys(container).filter((key) => key !== missing && plain(key) === plain(missing));
  return alike.length === 1 ? alike[0] : undefined;
}
