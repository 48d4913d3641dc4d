// The report's own controls: contrast, number of picks, pins and bans; draws what reselect.js finds.
{
  const live = JSON.parse(document.getElementById("live-data").textContent);
  const problem = visavisReselect.decode(live);
  const at = (id) => document.getElementById(id);
  const section = at("picks");
  const columns = [...section.querySelectorAll(".column")];
  const USUAL = 0.6; // where the slider stands if the report's method knows no contrast
  const MOST = 16;

  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // The state: where the slider stands, how many picks (null: as in the report), pins and bans.
  const home = live.contrasts.indexOf(live.contrast ?? USUAL);
  const own = { contrast: home, size: null, pins: [...live.pins].sort((a, b) => a - b), bans: [] };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const largest = Math.max(...live.sizes);
  const alike = new Set(live.sizes).size === 1;
  let state = own;
  let past = [];

  // Cards: the report's own are kept, others are drawn when first needed.
  const cards = new Map();
  const ownPicks = new Set(live.picks.flat());
  live.picks.forEach((picks, group) => {
    const found = columns[group].querySelectorAll(".card");
    picks.forEach((number, rank) => cards.set(number, found[rank]));
  });

  const link = (shown) => {
    const title = make("bdi", "", shown.title);
    if (!shown.url) return title;
    const made = make("a");
    made.href = shown.url;
    made.rel = "noopener noreferrer nofollow";
    made.append(title);
    return made;
  };

  const svg = (tag, values) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };

  const bar = (label, percent, name) => {
    const row = make("div", label.toLowerCase());
    const drawn = svg("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" });
    drawn.append(svg("rect", { class: "track", width: 100, height: 4 }), svg("rect", { class: "fill", width: percent, height: 4 }));
    const figure = make("dd");
    figure.append(drawn, make("span", "", `${Math.round(percent)}\u202f%`));
    figure.title = `more ${label.toLowerCase()} than ${Math.round(percent)} % of ${name}`;
    row.append(make("dt", "", label), figure);
    return row;
  };

  const byline = (shown) => {
    const made = make("p", "byline");
    if (shown.source) {
      const outlet = make("span", "outlet");
      outlet.append(make("bdi", "", shown.source));
      made.append(outlet);
    }
    if (shown.date) {
      const time = make("time", "", shown.date);
      time.dateTime = shown.iso;
      time.dir = "ltr";
      made.append(time);
    }
    return made;
  };

  const body = (shown, name) => {
    const parts = [];
    if (shown.source || shown.date) parts.push(byline(shown));
    if (shown.picture) {
      const picture = make("img", "thumb");
      picture.src = shown.picture;
      picture.alt = `Picture of ${shown.title}`;
      parts.push(picture);
    }
    if (shown.snippet) {
      const text = make("p", "snippet");
      text.dir = "auto";
      text.append(...shown.snippet.map(([piece, marked]) => (marked ? make("mark", piece.length > 28 ? "long" : "", piece) : piece)));
      parts.push(text);
    }
    const bars = make("dl", "bars");
    if (shown.typical !== undefined) bars.append(bar("Typical", shown.typical, name));
    if (shown.distinct !== undefined) bars.append(bar("Distinct", shown.distinct, name));
    return bars.children.length ? [...parts, bars] : parts;
  };

  const draw = (number) => {
    const shown = live.candidates[number];
    const column = columns[shown.group];
    const card = make("article", "card arrived");
    card.tabIndex = -1;
    const heading = make("h4");
    heading.dir = "auto";
    heading.append(make("span", "rank", column.querySelector(".badge").textContent), link(shown));
    card.append(heading, ...body(shown, column.querySelector("h3 bdi").textContent));
    return card;
  };

  // Copies of one document in several groups are pinned and banned together.
  const family = (number) => live.candidates.flatMap((other, place) => (other.family === live.candidates[number].family ? [place] : []));
  const toggled = (list, numbers, on) => [...list.filter((one) => !numbers.includes(one)), ...(on ? numbers : [])].sort((a, b) => a - b);
  const pin = (number) => move({
    pins: toggled(state.pins, [number], !state.pins.includes(number)),
    bans: toggled(state.bans, family(number), false),
  });
  const ban = (number) => move({
    pins: toggled(state.pins, family(number), false),
    bans: toggled(state.bans, family(number), !state.bans.includes(number)),
  });

  const steer = (number) => {
    const row = make("div", "steer");
    const title = live.candidates[number].title;
    const button = (name, label, act) => {
      const made = make("button", name, label);
      made.type = "button";
      made.setAttribute("aria-label", `${label}: ${title}`);
      made.addEventListener("click", () => act(number));
      row.append(made);
    };
    button("pin", "Pin", pin);
    button("ban", "Not this one", (one) => { ban(one); (at("live-anew").hidden ? at("live-fewer") : at("live-undo")).focus(); });
    return row;
  };

  const cardOf = (number) => {
    if (!cards.has(number)) cards.set(number, draw(number));
    const card = cards.get(number);
    if (!card.querySelector(".steer")) {
      card.append(steer(number));
      card.append(...card.querySelectorAll(":scope > .copy"));
    }
    return card;
  };

  const dress = (card, number, marks) => {
    card.querySelector(".marks")?.remove();
    if (marks.length) {
      const row = make("p", "marks");
      row.append(...marks.map(([name, text]) => make("span", `mark ${name}`, text)));
      card.querySelector("h4").after(row);
    }
    card.querySelector(".pin").setAttribute("aria-pressed", String(state.pins.includes(number)));
    card.querySelector(".ban").setAttribute("aria-pressed", String(state.bans.includes(number)));
  };

  const goneOf = (group, picks) => {
    const numbers = new Set([...live.picks[group], ...state.bans.filter((one) => live.candidates[one].group === group && cards.has(one))]);
    return [...numbers].filter((number) => !picks.includes(number));
  };

  const fold = (gone) => {
    const made = make("details", "gone");
    made.append(make("summary", "", `${gone.length} gone`), ...gone.map((number) => {
      const card = cardOf(number);
      dress(card, number, state.bans.includes(number) ? [["", "not this one"]] : [["", "gone"]]);
      return card;
    }));
    return made;
  };

  const fill = (group, picks, doubts, moved) => {
    const column = columns[group];
    column.querySelector(".so-many").textContent = count(picks.length, "pick");
    column.querySelector(".none")?.remove();
    column.querySelector(".gone")?.remove();
    for (const card of column.querySelectorAll(":scope > .card")) card.remove();
    column.append(...picks.map((number, rank) => {
      const card = cardOf(number);
      const marks = moved ? [ownPicks.has(number) ? ["kept", "kept"] : ["new", "new"]] : [];
      dress(card, number, doubts[rank] ? [...marks, ["doubt", "a better one may lie outside"]] : marks);
      return card;
    }));
    if (!picks.length) column.append(make("p", "none", "No document is left for this group."));
    const gone = goneOf(group, picks);
    if (gone.length) column.append(fold(gone));
  };

  const message = (found) => {
    const picks = found.picks.flat();
    const kept = picks.filter((number) => ownPicks.has(number)).length;
    const stored = live.candidates.length;
    const there = problem.groups.reduce((sum, group) => sum + group.documents, 0);
    const among = stored === there ? `all ${count(there, "document")}` : `${stored.toLocaleString("en")} stored of ${count(there, "document")}`;
    const doubtful = found.mayLieOutside.flat().filter(Boolean).length;
    const sure = stored === there ? "" : doubtful === 0 ? " Among all documents they would be the same." :
      ` For ${count(doubtful, "pick")} of these a better one may lie outside the stored ones.`;
    return `Chosen anew by mmd-diff-greedy among ${among} that may be picked: ${kept} kept, ${picks.length - kept} new, ` +
      `${ownPicks.size - kept} gone.${sure} The rest of the page speaks of the report’s own picks (${live.method}).`;
  };

  const sizes = () => (state.size === null ? live.sizes : state.size);
  const choose = () => visavisReselect.reselect(problem,
    { contrast: live.contrasts[state.contrast], sizes: sizes(), pins: state.pins, bans: state.bans });

  const showColumns = (found, moved) => {
    const focused = document.activeElement;
    section.classList.toggle("moved", moved);
    found.picks.forEach((picks, group) => fill(group, picks, found.mayLieOutside[group], moved));
    const most = Math.max(...found.picks.map((picks) => picks.length));
    if (focused.isConnected) focused.focus({ preventScroll: true }); // cards that change places lose it
    for (const column of columns) column.style.gridRow = moved ? `span ${most + 2}` : "";
  };

  const showContrast = () => {
    const slider = at("live-contrast");
    if (!slider) return;
    const contrast = live.contrasts[state.contrast].toFixed(2);
    slider.value = state.contrast;
    slider.setAttribute("aria-valuetext", contrast);
    at("live-said-contrast").textContent = contrast;
  };

  const showSize = () => {
    const size = state.size ?? largest;
    at("live-said-size").textContent = state.size !== null || alike ? size : `${Math.min(...live.sizes)}–${largest}`;
    at("live-fewer").disabled = size <= 1;
    at("live-more").disabled = size >= Math.max(MOST, largest);
  };

  const show = () => {
    const moved = !same(state, own);
    const found = moved ? choose() : { picks: live.picks, mayLieOutside: live.picks.map(() => []) };
    showColumns(found, moved);
    at("live-anew").hidden = !moved && !past.length;
    at("live-back").hidden = !moved;
    at("live-undo").hidden = !past.length;
    at("live-message").textContent = moved ? message(found) : "These are the report’s own picks.";
    showContrast();
    showSize();
  };

  const remember = () => { past.push(state); };
  const move = (change, kept = false) => {
    if (!kept) remember();
    state = { ...state, ...change };
    show();
  };
  const resize = (by) => {
    const size = (state.size ?? largest) + by;
    move({ size: alike && size === largest ? null : size });
  };

  let sliding = false;
  at("live-contrast")?.addEventListener("input", (event) => {
    move({ contrast: Number(event.target.value) }, sliding);
    sliding = true;
  });
  at("live-contrast")?.addEventListener("change", () => { sliding = false; });
  at("live-fewer").addEventListener("click", () => resize(-1));
  at("live-more").addEventListener("click", () => resize(1));
  at("live-undo").addEventListener("click", () => { state = past.pop(); show(); });
  at("live-back").addEventListener("click", () => { remember(); state = own; show(); at("live-undo").focus(); });
  at("live").hidden = false;
  show();
}
