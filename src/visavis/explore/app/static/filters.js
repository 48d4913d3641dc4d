// The filter in parts that controls can show, and back to one expression: parts joined by `and`, the rest kept as it is.

const NAME = "[\\p{L}\\p{Nl}\\p{No}_][\\p{L}\\p{N}_.\\-]*";
const NUMBER = "[+\\-]?(?:\\p{Nd}+(?:\\.\\p{Nd}*)?|\\.\\p{Nd}+)(?:[eE][+\\-]?\\p{Nd}+)?(?![\\p{L}\\p{N}_.])";
const STRING = "'[^']*'|\"[^\"]*\"";
const TOKEN = new RegExp(`\\s*(${NUMBER}|${NAME}|\`[^\`]+\`|${STRING}|[=!<>]=|[<>()[\\],])`, "uy");
const WORD = new RegExp(`^${NAME}$`, "u");
const RESERVED = ["and", "or", "not", "in", "contains", "true", "false"];

const column = (name) => (WORD.test(name) && !RESERVED.includes(name) ? name : `\`${name}\``);

export const quote = (text) => {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  return null;
};

// The words, names and signs of an expression, as corpus/filters.py tells them apart, and where each ends; null for
// what is not in the language.
const tokens = (expression) => {
  const found = [];
  TOKEN.lastIndex = 0;
  for (let match; (match = TOKEN.exec(expression));) found.push({ text: match[1], end: TOKEN.lastIndex });
  return expression.slice(found.at(-1)?.end ?? 0).trim() ? null : found;
};

// The expression cut at every `and` outside brackets; null where it cannot be cut, as there is an `or` there too.
export const parts = (expression) => {
  const found = [];
  let [depth, begin] = [0, 0];
  const all = tokens(expression);
  if (!all) return null;
  for (const { text, end } of all) {
    if ("([".includes(text)) depth++;
    else if (")]".includes(text)) depth--;
    else if (text === "or" && !depth) return null;
    else if (text === "and" && !depth) {
      found.push(expression.slice(begin, end - text.length).trim());
      begin = end;
    }
  }
  return [...found, expression.slice(begin).trim()].filter(Boolean);
};

const nothing = () => ({ from: "", to: "", text: "", values: Object.create(null), other: [] });
const isString = (text) => /^['"]/u.test(text);
const bare = (text) => (/^['"`]/u.test(text) ? text.slice(1, -1) : text);

// What a control would show of a part, if any does.
const readPart = (part, date) => {
  const [name, sign, ...rest] = tokens(part).map(({ text }) => text);
  if (!rest.length) return {};
  if (sign === "in") return { values: { [bare(name)]: rest.filter(isString).map(bare) } };
  if (sign === ">=" && date && bare(name) === date) return { from: bare(rest[0]) };
  if (sign === "<=" && date && bare(name) === date) return { to: bare(rest[0]) };
  return sign === "contains" && bare(name) === "text" ? { text: bare(rest[0]) } : {};
};

const isFree = (into, { values = {}, ...slots }) =>
  Object.keys(values).every((name) => !(name in into.values)) && Object.keys(slots).every((slot) => into[slot] === "");

// A part is taken apart only where nothing else has its place and writing it again gives the very same text.
export const readFilter = (expression, date) => {
  const into = nothing();
  for (const part of parts(expression) ?? [expression.trim()]) {
    const found = parts(part) ? readPart(part, date) : {};
    if (!isFree(into, found) || writeFilter({ ...nothing(), ...found }, date) !== part) into.other.push(part);
    else Object.assign(into, found, { values: Object.assign(into.values, found.values) });
  }
  return into;
};

// All of several expressions.
export const joined = (expressions) => {
  const found = expressions.filter(Boolean);
  return found.map((each) => (found.length > 1 && parts(each) === null ? `(${each})` : each)).join(" and ");
};

export const writeFilter = ({ from, to, text, values, other }, date) => {
  const among = Object.entries(values).map(([name, chosen]) => [name, chosen.map(quote).filter(Boolean)]);
  return joined([
    from && `${column(date)} >= '${from}'`,
    to && `${column(date)} <= '${to}'`,
    ...among.map(([name, quoted]) => quoted.length && `${column(name)} in [${quoted.join(", ")}]`),
    text && quote(text) && `text contains ${quote(text)}`,
    ...other,
  ]);
};
