// Elements made of plain text: nothing that comes from documents is ever read as markup.

export const byId = (id) => document.getElementById(id);

const assign = (node, properties) => {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (value === true) node.setAttribute(name, "");
    else node.setAttribute(name, String(value));
  }
};

export const element = (tag, properties = {}, ...children) => {
  const node = document.createElement(tag);
  assign(node, properties);
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};

export const drawing = (tag, properties = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(node, properties);
  node.append(...children);
  return node;
};

// Which way a text runs, by its first letter: `dir=auto` does not look into elements that stand for themselves.
const LEFTWARD = /^[^\p{L}]*[\u0591-\u08FF\uFB1D-\uFDFD\uFE70-\uFEFC]/u;
export const direction = (text) => (LEFTWARD.test(text) ? "rtl" : "ltr");

export const bdi = (text) => element("bdi", { text });

export const button = (text, onclick, properties = {}) => element("button", { type: "button", ...properties, text, onclick });

// A group's letter and name.
export const badged = (index, name) => [element("span", { class: "badge", text: letter(index) }), bdi(name)];

// A document's title, which opens it.
export const titled = (item, open, properties = {}) => element("button",
  { type: "button", class: "link", dir: direction(item.title), ...properties, onclick: () => open(item.id) }, bdi(item.title || item.id));

export const fill = (node, ...children) => node.replaceChildren(...children.filter(Boolean));

// Text in pieces, some of them marked: [["text", marked], ...].
export const marked = (pieces) =>
  pieces.map(([text, isMarked]) =>
    isMarked ? element("mark", { text, class: text.length > 28 ? "long" : undefined }) : document.createTextNode(text));

// Only addresses of the web become links.
export const safeAddress = (url) => {
  try {
    const found = new URL(url);
    return ["http:", "https:"].includes(found.protocol) ? found.href : null;
  } catch {
    return null;
  }
};

export const byline = (item) => {
  const source = item.source && element("span", { class: "outlet" }, bdi(item.source));
  const day = element("bdi", { dir: "ltr", text: item.said ?? item.date });
  const date = item.date && element("time", { datetime: item.said ? item.date : undefined }, day);
  const author = item.author && element("span", { class: "author" }, bdi(item.author));
  if (!source && !date && !author) return null;
  return element("p", { class: "byline", dir: direction(item.title || item.source || "") }, source, date, author);
};

// A group as it is called in a sentence: "Feb 2024" for 2024-02.
export const nameOf = (group) => group.said ?? group.name;

const figures = new Intl.NumberFormat("en");
export const counted = (count) => figures.format(count);

export const plural = (count, noun) => `${counted(count)} ${noun}${count === 1 ? "" : "s"}`;

export const letter = (index) => {
  const first = Math.floor(index / 26);
  return (first ? String.fromCharCode(64 + first) : "") + String.fromCharCode(65 + (index % 26));
};
