"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const said = document.getElementById("said");
  const tip = document.getElementById("tip");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Copying: the modern way, then the old one, then by hand.
  const copyOldWay = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.readOnly = true;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyOldWay(text);
    }
  };

  const report = (button, done) => {
    const label = button.dataset.label ?? (button.dataset.label = button.textContent);
    button.textContent = done ? "Copied" : "Could not copy";
    said.textContent = done ? "Copied as Markdown" : "Your browser did not allow copying";
    clearTimeout(button.timer);
    button.timer = setTimeout(() => { button.textContent = label; }, 2000);
  };

  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const key = button.dataset.copy;
      report(button, await copy(key === "all" ? data.all : data.picks[key]));
    });
  }
  for (const tools of all(".tools")) tools.hidden = false;

  // Words: highlighted or not.
  const marks = document.getElementById("marks");
  marks.addEventListener("click", () => {
    const on = marks.getAttribute("aria-pressed") !== "true";
    marks.setAttribute("aria-pressed", String(on));
    document.documentElement.classList.toggle("unmarked", !on);
  });

  // A note beside the pointer.
  const show = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(Math.max(4, x + 14), innerWidth - width - 4);
    const top = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  };
  const hide = () => { tip.hidden = true; };

  const nearest = (x, y, reach) => {
    const map = data.map;
    let best = -1;
    let least = reach * reach;
    for (let i = 0; i < map.x.length; i++) {
      const distance = (map.x[i] - x) ** 2 + (map.y[i] - y) ** 2;
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  };

  const area = document.getElementById("map-area");
  if (area && data.map) {
    area.addEventListener("pointermove", (event) => {
      const label = event.target.closest?.(".label");
      if (label) return show(`${label.textContent}\n${label.dataset.title}`, event.clientX, event.clientY);
      const box = area.getBoundingClientRect();
      const scale = data.map.width / box.width;
      const found = nearest((event.clientX - box.left) * scale, (event.clientY - box.top) * scale, 14 * scale);
      if (found < 0) return hide();
      show(`${data.groups[data.map.g[found]]}\n${data.map.t[found]}`, event.clientX, event.clientY);
    });
    area.addEventListener("pointerleave", hide);
    for (const label of all(".label", area)) {
      label.addEventListener("focus", () => {
        const box = label.getBoundingClientRect();
        show(`${label.textContent}\n${label.dataset.title}`, box.right, box.bottom);
      });
      label.addEventListener("blur", hide);
    }
  }

  for (const strip of all("[data-strip]")) {
    const drawing = strip.querySelector("svg");
    const told = (row) => strip.dataset.strip !== "all" ? row[Number(strip.dataset.strip)]
      : row.flatMap((count, group) => count ? [`\n${data.groups[group]}: ${count}`] : []).join("") || 0;
    drawing.addEventListener("pointermove", (event) => {
      const box = drawing.getBoundingClientRect();
      const { periods, counts } = data.volume;
      const place = Math.floor(((event.clientX - box.left) / box.width) * periods.length);
      const period = Math.min(Math.max(place, 0), periods.length - 1);
      const mark = event.target.closest?.(".dot")?.querySelector("title")?.textContent;
      show(mark ?? `${periods[period]}: ${told(counts[period])}`, event.clientX, event.clientY);
    });
    drawing.addEventListener("pointerleave", hide);
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });

  // Print why each was picked, which is folded away.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all(".card .why:not([open])");
    for (const part of closed) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of closed) part.open = false; });
})();
