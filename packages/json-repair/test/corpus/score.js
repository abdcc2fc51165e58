// How a case of the corpus is judged; used by the tests and by the benchmark.

/** The shapes that a case may ask for, as Standard Schemas. */
export const HINTS = {
  search: shape({ success: "boolean", report: "string" }, { metadata: "object" }),
  rows: listOf(shape({ id: "number" }, {})),
  deep_search: shape({ success: "boolean", verified: "boolean", report: "string" }, { metadata: "object" }),
};

function shape(required, optional) {
  return {
    "~standard": {
      version: 1,
      vendor: "corpus",
      validate(value) {
        if (typeOf(value) !== "object") return { issues: [{ message: "expected an object" }] };
        const issues = [];
        for (const [key, type] of Object.entries({ ...required, ...optional })) {
          if (!Object.hasOwn(value, key)) {
            if (key in required) issues.push({ message: `expected ${type}, found nothing`, path: [key] });
          } else if (typeOf(value[key]) !== type) {
            issues.push({ message: `expected ${type}, found ${typeOf(value[key])}`, path: [key] });
          }
        }
        return issues.length > 0 ? { issues } : { value };
      },
    },
  };
}

function listOf(members) {
  return {
    "~standard": {
      version: 1,
      vendor: "corpus",
      validate(value) {
        if (!Array.isArray(value)) return { issues: [{ message: "expected a list" }] };
        const issues = value.flatMap((one, at) =>
          (members["~standard"].validate(one).issues ?? []).map((issue) => ({ ...issue, path: [at, ...(issue.path ?? [])] })),
        );
        return issues.length > 0 ? { issues } : { value };
      },
    },
  };
}

function typeOf(value) {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

/**
 * `right`, `refused` (no value where one was expected), or `wrong` (another value, or one made of nothing).
 * `result` is `{ ok, value }`.
 */
export function judge(expected, result) {
  if (isMatcher(expected, "$noCrash")) return "right";
  if (isMatcher(expected, "$none")) return !result.ok || result.value === undefined || result.value === null ? "right" : "wrong";
  if (!result.ok) return isMatcher(expected, "$protoSafe") ? "right" : "refused";
  return matches(expected, result.value) ? "right" : "wrong";
}

function isMatcher(value, name) {
  return typeOf(value) === "object" && Object.keys(value).length === 1 && Object.hasOwn(value, name);
}

export function matches(expected, value) {
  if (typeOf(expected) === "object" && Object.keys(expected).length === 1) {
    if (Object.hasOwn(expected, "$any")) return true;
    if (Object.hasOwn(expected, "$oneOf")) return expected.$oneOf.some((one) => matches(one, value));
    if (Object.hasOwn(expected, "$json")) return JSON.stringify(JSON.parse(expected.$json)) === JSON.stringify(value);
    if (Object.hasOwn(expected, "$protoSafe")) return protoSafe(value) && matches(expected.$protoSafe, plain(value));
  }
  if (typeOf(expected) !== typeOf(value)) return false;
  if (Array.isArray(expected)) {
    return expected.length === value.length && expected.every((one, at) => matches(one, value[at]));
  }
  if (typeOf(expected) !== "object") return Object.is(expected, value);
  for (const [key, wanted] of Object.entries(expected)) {
    if (isMatcher(wanted, "$optional")) {
      if (Object.hasOwn(value, key) && value[key] !== null && !matches(wanted.$optional, value[key])) return false;
    } else if (!Object.hasOwn(value, key) || !matches(wanted, value[key])) return false;
  }
  return Object.keys(value).every((key) => Object.hasOwn(expected, key));
}

function protoSafe(value) {
  if (typeof value !== "object" || value === null) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return Object.keys(value).every((key) => protoSafe(Object.getOwnPropertyDescriptor(value, key).value));
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeOf(value) !== "object") return value;
  const without = ["__proto__", "constructor", "prototype"];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !without.includes(key))
      .map(([key, part]) => [key, plain(part)]),
  );
}
