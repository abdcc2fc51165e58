// The regular expressions of one source file: literals, and `new RegExp` of what is constant; and for each how many
// characters it may be given, where every call shows it.
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

/** Methods of an expression, and those of a string that take one. */
const OF_EXPRESSION = new Set(["test", "exec"]);
const OF_STRING = new Set(["match", "matchAll", "replace", "replaceAll", "search", "split"]);

/** `[{ file, line, source, flags, shown, bound }]`; without `source` for what is made when it runs. */
export function readExpressions(root, file) {
  const module = new Module(root, file);
  const found = [];
  module.walk((node, parents) => {
    const literal = node.type === "Literal" && node.regex;
    if (!literal && !isMade(node)) return;
    const { source, flags } = literal
      ? { source: node.regex.pattern, flags: node.regex.flags }
      : { source: module.constant(node.arguments[0]), flags: module.constant(node.arguments[1]) ?? "" };
    const line = module.text.slice(0, node.start).split("\n").length;
    const shown = source === undefined ? module.text.slice(node.start, node.end) : `/${source}/${flags}`;
    found.push({ file, line, source, flags, shown, bound: module.boundOf(node, parents) });
  });
  return found;
}

const isMade = ({ type, callee }) =>
  type === "NewExpression" && callee.type === "Identifier" && callee.name === "RegExp";

const modules = new Map();

class Module {
  constructor(root, file) {
    this.root = root;
    this.file = file;
    this.text = readFileSync(new URL(file, root), "utf8");
    this.program = parseSync(file, this.text).program;
    /** Constants of the module by name, as nodes. */
    this.constants = new Map();
    this.imports = new Map();
    for (const statement of this.program.body) {
      const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      if (declared?.type === "VariableDeclaration" && declared.kind === "const")
        for (const { id, init } of declared.declarations)
          if (id.type === "Identifier") this.constants.set(id.name, init);
      if (statement.type === "ImportDeclaration" && statement.source.value.startsWith("."))
        for (const one of statement.specifiers) this.imports.set(one.local.name, statement.source.value);
    }
  }

  /** Calls back for each node with the nodes around it, the innermost last. */
  walk(visit) {
    const parents = [];
    const into = (node) => {
      if (Array.isArray(node)) node.forEach(into);
      else if (typeof node?.type === "string") {
        visit(node, parents);
        parents.push(node);
        for (const [key, part] of Object.entries(node)) if (key !== "type" && typeof part === "object") into(part);
        parents.pop();
      }
    };
    into(this.program);
  }

  /** The value of an expression that is constant: strings, numbers and what is joined from them. */
  constant(node) {
    switch (node?.type) {
      case "Literal":
        return node.regex ? undefined : node.value;
      case "Identifier":
        return this.#named(node.name);
      case "TSAsExpression":
        return this.constant(node.expression);
      case "TemplateLiteral": {
        const parts = node.expressions.map((one) => this.constant(one));
        if (parts.includes(undefined)) return undefined;
        return node.quasis.map((quasi, at) => quasi.value.cooked + (parts[at] ?? "")).join("");
      }
      case "BinaryExpression": {
        const [left, right] = [this.constant(node.left), this.constant(node.right)];
        if (left === undefined || right === undefined) return undefined;
        return node.operator === "+" ? left + right : node.operator === "-" ? left - right : undefined;
      }
      case "MemberExpression":
        return node.property.name === "source" ? this.#literal(node.object)?.pattern : undefined;
      case "CallExpression": {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.property.name !== "join") return undefined;
        const list = callee.object.type === "Identifier" ? this.constants.get(callee.object.name) : callee.object;
        const parts = list?.type === "ArrayExpression" ? list.elements.map((one) => this.constant(one)) : [undefined];
        return parts.includes(undefined) ? undefined : parts.join(this.constant(node.arguments[0]) ?? ",");
      }
    }
    return undefined;
  }

  #named(name) {
    const from = this.imports.get(name);
    if (from === undefined) return this.constant(this.constants.get(name));
    const file = new URL(from.replace(/\.js$/, ".ts"), new URL(this.file, this.root)).href.slice(this.root.href.length);
    if (!modules.has(file)) modules.set(file, new Module(this.root, file));
    return modules.get(file).constant(modules.get(file).constants.get(name));
  }

  #literal(node) {
    return node.type === "Identifier" ? this.constants.get(node.name)?.regex : node.regex;
  }

  /** So many characters at most, as far as every use shows; undefined if one does not. */
  boundOf(node, parents) {
    const around = parents.at(-1);
    const named = around.type === "VariableDeclarator" && parents.length <= 4 ? around.id.name : undefined;
    if (named === undefined) return this.#boundOfUse(node, parents);
    let bound = 0;
    this.walk((use, uses) => {
      if (use.type !== "Identifier" || use.name !== named || uses.at(-1) === around) return;
      if (uses.at(-1).type === "MemberExpression" && uses.at(-1).property.name === "lastIndex") return;
      bound = Math.max(bound, this.#boundOfUse(use, uses) ?? Infinity);
    });
    return Number.isFinite(bound) && bound > 0 ? bound : undefined;
  }

  #boundOfUse(node, parents) {
    const [call, member] = [parents.at(-2), parents.at(-1)];
    if (member.type === "MemberExpression" && member.object === node && OF_EXPRESSION.has(member.property.name))
      return this.#boundOfText(call.arguments[0]);
    const { callee } = member;
    if (member.type !== "CallExpression" || callee.type !== "MemberExpression") return undefined;
    return OF_STRING.has(callee.property.name) && member.arguments[0] === node
      ? this.#boundOfText(callee.object)
      : undefined;
  }

  /** Of `text.slice(0, N)`, `text.slice(-N)`, `text.slice(at, at + N)` and `text.slice(Math.max(0, at - N), at)`. */
  #boundOfText(node) {
    if (node?.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
    if (["trim", "trimStart", "trimEnd", "toLowerCase"].includes(node.callee.property.name))
      return this.#boundOfText(node.callee.object);
    if (node.callee.property.name !== "slice") return undefined;
    const [from, to] = node.arguments;
    const written = (one) => this.text.slice(one.start, one.end);
    if (to === undefined) {
      const last = from?.type === "UnaryExpression" && from.operator === "-" ? this.constant(from.argument) : undefined;
      return typeof last === "number" ? last : undefined;
    }
    const most = [from, to].map((one) => this.constant(one));
    if (typeof most[0] === "number" && typeof most[1] === "number") return most[1] - most[0];
    // `Math.min(at + N, end)` is at most `at + N`, and `Math.max(0, at - N)` at least `at - N`.
    const sides = (one, name) => (one.callee && written(one.callee) === `Math.${name}` ? one.arguments : [one]);
    for (const low of sides(from, "max"))
      for (const high of sides(to, "min")) {
        const distance = this.#distance(low, high, written);
        if (distance !== undefined) return distance;
      }
    return undefined;
  }

  #distance(low, high, written) {
    for (const [sum, other, operator] of [
      [high, low, "+"],
      [low, high, "-"],
    ]) {
      if (sum.type !== "BinaryExpression" || sum.operator !== operator) continue;
      const length = this.constant(sum.right);
      if (typeof length !== "number") continue;
      if (written(sum.left) === written(other)) return length;
      // `at + 1` and `at + 40`
      if (other.type === "BinaryExpression" && written(other.left) === written(sum.left))
        return length + (this.constant(other.right) ?? Infinity);
    }
    return undefined;
  }
}
