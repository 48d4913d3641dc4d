// The filter in parts that controls can show, and back to one expression: parts joined by `and`, the rest kept as it is.

const WORD = /^[^\W\d][\w.-]*$/u;
const RESERVED = ["and", "or", "not", "in", "contains", "true", "false"];

const column = (name) => (WORD.test(name) && !RESERVED.includes(name) ? name : `\`${name}\``);

export const quote = (text) => {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  return null;
};

// The expression cut at every `and` outside quotes and brackets; null if there is an `or` there too.
export const parts = (expression) => {
  const found = [];
  let [depth, begin] = [0, 0];
  const token = /'[^']*'|"[^"]*"|`[^`]*`|[()[\]]|\b(?:and|or)\b/gu;
  for (const match of expression.matchAll(token)) {
    if ("([".includes(match[0])) depth++;
    else if (")]".includes(match[0])) depth--;
    else if (match[0] === "or" && !depth) return null;
    else if (match[0] === "and" && !depth) {
      found.push(expression.slice(begin, match.index).trim());
      begin = match.index + 3;
    }
  }
  return [...found, expression.slice(begin).trim()].filter(Boolean);
};

const named = "(?:([^\\W\\d][\\w.-]*)|`([^`]+)`)";
const string = "(?:'([^']*)'|\"([^\"]*)\")";
const BOUND = new RegExp(`^${named}\\s*(>=|<=)\\s*${string}$`, "u");
const HOLDS = new RegExp(`^${named}\\s+contains\\s+${string}$`, "u");
const AMONG = new RegExp(`^${named}\\s+in\\s*\\[(.*)\\]$`, "su");
const EACH = /'([^']*)'|"([^"]*)"/gu;

const readPart = (part, date, into) => {
  let match;
  if ((match = BOUND.exec(part)) && date && (match[1] ?? match[2]) === date) {
    into[match[3] === ">=" ? "from" : "to"] = match[4] ?? match[5];
  } else if ((match = HOLDS.exec(part)) && (match[1] ?? match[2]) === "text" && into.text === "") {
    into.text = match[3] ?? match[4];
  } else if ((match = AMONG.exec(part))) {
    into.values[match[1] ?? match[2]] = [...match[3].matchAll(EACH)].map((item) => item[1] ?? item[2]);
  } else {
    into.other.push(part);
  }
};

export const readFilter = (expression, date) => {
  const into = { from: "", to: "", text: "", values: {}, other: [] };
  const found = parts(expression);
  if (found === null) into.other.push(expression.trim());
  else for (const part of found) readPart(part, date, into);
  return into;
};

export const writeFilter = ({ from, to, text, values, other }, date) => {
  const found = [];
  if (from) found.push(`${column(date)} >= '${from}'`);
  if (to) found.push(`${column(date)} <= '${to}'`);
  for (const [name, chosen] of Object.entries(values)) {
    const quoted = chosen.map(quote).filter(Boolean);
    if (quoted.length) found.push(`${column(name)} in [${quoted.join(", ")}]`);
  }
  if (text && quote(text)) found.push(`text contains ${quote(text)}`);
  for (const part of other) found.push(found.length + other.length > 1 && parts(part) === null ? `(${part})` : part);
  return found.join(" and ");
};
