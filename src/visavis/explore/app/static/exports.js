// What one takes along: files to download, and the command that makes the same comparison.

import { button, byId, element, fill } from "./dom.js";
import { toast } from "./notices.js";
import { asked, state, write } from "./state.js";

const FILES = [
  ["report.html", "The report", "one page to forward, with everything in it"],
  ["summary.json", "The figures", "JSON, as compare --json writes it"],
  ["command.txt", "The command", "a line that repeats it"],
  ["compare.py", "The Python", "a script that repeats it"],
  ["points.parquet", "The points", "Parquet for Embedding Atlas: x, y, group, pick"],
  ["study.txt", "A study", "the command that has people judge the picks"],
];

const copyOldWay = (text) => {
  const area = element("textarea", { class: "unseen", readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
};

export const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text);
  }
};

export const shareLink = async () => {
  const query = write(state());
  const done = await copy(`${location.origin}/${query ? `?${query}` : ""}`);
  toast(done ? "The link is copied. It opens this very view, for whoever has this explorer open."
    : "Your browser did not allow copying: copy the address above.");
};

const row = ([name, title, about], query) => element("li", {},
  element("a", { href: `/export/${name}${query ? `?${query}` : ""}`, download: name },
    element("b", { text: title }), element("span", { text: about })));

// `why` says what keeps a setting from being written as a command.
export const showExports = (command, why) => {
  const query = asked();
  const take = async () => toast((await copy(command)) ? "The command is copied" : "Your browser did not allow copying");
  fill(byId("export-list"), element("ul", {}, ...FILES.map((file) => row(file, query))),
    command && element("div", { class: "command" },
      element("pre", { tabindex: 0, "aria-label": "Command" }, element("code", { dir: "ltr", text: command })),
      button("Copy the command", take)),
    !command && why && element("p", { class: "note", dir: "auto", text: why }));
};

export const watchMenu = () => {
  const menu = byId("export");
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
};
