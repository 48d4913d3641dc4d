// A search lights what it finds on the map, lists it, and can be kept as a set or as a filter.

import { ask } from "./api.js";
import { button, byId, byline, element, fill, plural, titled } from "./dom.js";
import { say } from "./notices.js";
import { addSet, askName, cleanName } from "./sets.js";
import { asked } from "./state.js";

const SHOWN = 12;

const hit = (item, open) => element("li", {}, titled(item, open), byline(item));

export const makeSearch = ({ light, open, fail, narrow }) => {
  const input = element("input", { id: "search", type: "search", placeholder: "any words", dir: "auto", autocomplete: "off" });
  const results = element("div", { id: "results", class: "results" });
  const form = element("form", { class: "find", role: "search" },
    element("label", { for: "search", class: "unseen", text: "Search the documents" }), input,
    element("button", { type: "submit", text: "Search" }));
  byId("finding").append(form, results, element("div", { id: "set-list" }));

  const clear = () => { input.value = ""; fill(results); light([]); };

  const keep = async (words, total) => {
    const name = await askName(`${plural(total, "document")} found with “${words}”`, cleanName(words));
    if (name) { addSet(name, "search", words); clear(); }
  };

  const show = (words, found) => {
    light(found.rows);
    say(`${plural(found.total, "document")} found`);
    fill(results, element("p", { class: "chosen" }, element("span", { text: `${plural(found.total, "document")} found, lit on the map` }),
      element("button", { type: "button", class: "link", text: "clear", onclick: clear })),
    element("ul", { class: "hits" }, ...found.documents.slice(0, SHOWN).map((item) => hit(item, open))),
    found.total && element("div", { class: "deeds" },
      element("button", { type: "button", text: "Keep as a set", onclick: () => keep(words, found.total) }),
      found.filter && button("Look at these only", () => { clear(); narrow(found.filter); })));
  };

  const search = async (words) => {
    input.value = words;
    if (!words.trim()) return clear();
    try {
      show(words, await ask("search", "/api/search", `${asked()}&${new URLSearchParams({ q: words.trim() })}`));
    } catch (error) {
      fail(error);
    }
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); search(input.value); });
  input.addEventListener("search", () => { if (!input.value) clear(); });
  return { search, clear };
};
