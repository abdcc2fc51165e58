// Asks the parser of BAML, which reads a text by types: these are made of the JSON Schema. Without one, any object or list fits.

const ANY = "type Anything = string | int | float | bool | null | Anything[] | map<string, Anything>";
const FUNCTION = `
client<llm> Unused {
  provider openai
  options {
    model "x"
    api_key "x"
  }
}
function Read() -> TYPE {
  client Unused
  prompt #"x"#
}
`;

/** BAML's source for a schema. Fields have numbers for names, since a key may hold anything. */
function sourceOf(schema) {
  const classes = [];
  const either = (types) => `(${types.join(" | ")})`;
  const literal = (value) => (typeof value === "string" ? JSON.stringify(value) : String(value));
  const typeOf = (part = {}) => {
    const { type, properties = {}, required = [], additionalProperties: others } = part;
    const alternatives = part.anyOf ?? part.oneOf;
    if (part.const !== undefined) return literal(part.const);
    if (part.enum) return either(part.enum.map(literal));
    if (alternatives) return either(alternatives.map(typeOf));
    if (Array.isArray(type)) return either(type.map((one) => typeOf({ ...part, type: one })));
    const plain = { string: "string", integer: "int", number: "float", boolean: "bool", null: "null" }[type];
    if (plain) return plain;
    if (type === "array") return `${typeOf(part.items)}[]`;
    if (type !== "object") return "Anything";
    const keys = Object.keys(properties);
    if (keys.length === 0) return `map<string, ${typeof others === "object" ? typeOf(others) : "Anything"}>`;
    const name = `Class${classes.length}`;
    const place = classes.push("") - 1;
    const fields = keys.map(
      (key, at) =>
        `  f${at} ${typeOf(properties[key])}${required.includes(key) ? "" : "?"} @alias(${JSON.stringify(key)})`,
    );
    classes[place] = `class ${name} {\n${fields.join("\n")}\n}`;
    return name;
  };
  const type = schema ? typeOf(schema) : "map<string, Anything> | Anything[]";
  return [ANY, ...classes, FUNCTION.replace("TYPE", type)].join("\n");
}

/** The value with the schema's keys in the place of the numbers; what is optional and missing is null in BAML. */
function named(value, schema = {}) {
  if (typeof value !== "object" || value === null) return value;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const isKind = ({ type, properties }) => (Array.isArray(value) ? type === "array" : properties !== undefined);
    return named(value, alternatives.find(isKind));
  }
  if (Array.isArray(value)) return value.map((one) => named(one, schema.items));
  if (schema.properties === undefined) return value;
  const keys = Object.keys(schema.properties);
  const members = Object.entries(value).flatMap(([field, part]) => {
    const key = keys[Number(field.slice(1))];
    if (part === null && !schema.required?.includes(key)) return [];
    return [[key, named(part, schema.properties[key])]];
  });
  return Object.fromEntries(members);
}

/** `(text, standard schema, JSON Schema) => value`. */
export function askBaml({ BamlRuntime }) {
  return (text, _, schema) => {
    const runtime = BamlRuntime.fromFiles("baml_src", { "main.baml": sourceOf(schema) }, {});
    const context = runtime.createContextManager();
    return named(runtime.parseLlmResponse("Read", text, false, context, null, null, {}), schema);
  };
}
