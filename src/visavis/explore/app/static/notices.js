// What the page says: aloud to a screen reader, in a banner when something went wrong, in a toast after a deed.

import { button, byId, element, fill } from "./dom.js";
import { Dropped, Refusal } from "./api.js";

let timer = 0;

export const say = (text) => { byId("said").textContent = text; };

export const complain = (error) => {
  if (error instanceof Dropped) return;
  const banner = byId("banner");
  const text = error instanceof Refusal ? error.message : "Something went wrong in the page. Reloading it may help.";
  if (!(error instanceof Refusal)) console.error(error);
  fill(banner, element("p", { dir: "auto", text }), button("Close", settle));
  banner.hidden = false;
};

export const settle = () => { byId("banner").hidden = true; };

export const toast = (text, label = "", act = null) => {
  const box = byId("toast");
  const hide = () => { box.hidden = true; };
  const deed = label && button(label, () => { hide(); act(); });
  fill(box, element("p", { dir: "auto", text }), deed, button("×", hide, { class: "close", "aria-label": "Close" }));
  box.hidden = false;
  say(text);
  clearTimeout(timer);
  timer = setTimeout(hide, 12000);
};

export const tip = (text, x, y) => {
  const box = byId("tip");
  box.textContent = text;
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(Math.max(4, x + 14), innerWidth - width - 4);
  const above = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(above)}px)`;
};

export const untip = () => { byId("tip").hidden = true; };
