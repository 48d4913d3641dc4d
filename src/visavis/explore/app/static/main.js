// The page as a whole: the address says what is asked, and everything shown follows from it.

import { ask, askUntil, drop, Dropped } from "./api.js";
import { corpusAtHand, showProgress } from "./boot.js";
import { showBrush } from "./brush.js";
import { keyOf, showColumns } from "./cards.js";
import { markChanges, sayChanges } from "./changes.js";
import { paint } from "./colors.js";
import { hold, letGo, showBeside } from "./compare.js";
import { makeDial, showStage } from "./dial.js";
import { byId, counted, element, fill, nameOf, plural } from "./dom.js";
import { shareLink, showExports, watchMenu } from "./exports.js";
import { readFilter } from "./filters.js";
import { showGrouping } from "./grouping.js";
import { makeMapping } from "./mapping.js";
import { dateColumn, lookOnly, refilter, showNarrow } from "./narrow.js";
import { complain, say, settle } from "./notices.js";
import { pointPath, showPath } from "./path.js";
import { makePicks } from "./picks.js";
import { makeSearch } from "./search.js";
import { showSets } from "./sets.js";
import { showSettings } from "./settings.js";
import { makeSheet } from "./sheet.js";
import * as states from "./state.js";
import { toggleBan, togglePin } from "./steer.js";
import { followVerdict, forgetVerdict } from "./verdict.js";

const OFF_PATH = new Set(["contrast", "method", "beside"]);  // these leave the contrast path as it is
const IDLE = 500;  // ms of rest before the verdict is asked for

const scene = { corpus: null, view: null, answer: null, settled: null, before: null };
const views = { asked: 0, shown: 0 };  // the numbers of the view asked for last and of the one that is on the page
let idle = 0;

// What is shown is of no use once the server has other documents: the page begins anew with them.
const checkCorpus = async (kind = "corpus") => {
  const { state, number } = await ask(kind, "/api/corpus", "");
  if (!scene.corpus || (state === "ready" && number === scene.corpus.number)) return;
  location.replace(location.pathname);
  throw new Dropped();
};

const fail = (error) => {
  showProgress("");
  complain(error);
  checkCorpus("corpus of a failure").catch(() => {});  // the failure has been told
};

const dragging = () => Boolean(history.state?.dragging);

const act = {
  pin: (card) => { sheet.close(); togglePin(card); },
  ban: (card) => { sheet.close(); toggleBan(card, fail); },
  open: (id, part) => sheet.open(id, part),
  point: (row) => mapping.map.point(row),
  search: (words) => search.search(words),
  isPick: (id) => Boolean(scene.answer?.groups.some((group) => group.picks.some((card) => card.id === id))),
  groupOf: (found) => scene.view.groups.findIndex((group) => [found.group, ...(found.groups ?? [])].includes(group.name)),
  fail,
};

const sheet = makeSheet(act);
const mapping = makeMapping({ open: act.open, fail });
const search = makeSearch({
  light: (rows) => mapping.map.light(rows), open: act.open, fail, narrow: lookOnly,
});
const dial = makeDial();

const stageText = (answer, method) => {
  if (answer.stage === "instant") return ["Instant answer", "busy"];
  if (scene.view.provisional) return ["First look, while the documents compared are read …", "busy"];
  if (answer.stage === "quick") return [`Quick answer; ${method} is refining it …`, "busy"];
  if (answer.improves === true) return [`Refined by ${method}: better than the quick answer`, "done"];
  if (answer.improves === false) return [`Refined by ${method}`, "done"];
  return [`Picked by ${method}`, "done"];
};

const mapPicks = (answer) => answer.groups.flatMap((group, index) =>
  group.picks.map((card, rank) => ({ row: card.row, group: index, key: keyOf(index, rank) })));

const unlessOvertaken = (mine) => { if (mine !== views.asked) throw new Dropped(); };

// A first look at the groups gives way to the whole view as soon as there is one: picks made in it tell by their key.
const lookAgain = async (found = null) => {
  const mine = views.asked;
  try {
    const view = await askUntil("view", "/api/view", states.asked(), (each) => found || !each.provisional);
    await checkCorpus();
    unlessOvertaken(mine);
    view.choices = scene.view.choices;
    showView(view);
    await mapping.load(view);
    unlessOvertaken(mine);
    followPath();
    picks.prepare(states.state(), view.key);
    if (found?.key === view.key) showAnswer(found);
    else if (!found) followPicks();
  } catch (error) {
    if (!(error instanceof Dropped)) fail(error);
  }
};

const showAnswer = (found) => {
  const { view, corpus } = scene;
  if (found.key && found.key !== view.key) return lookAgain(found);
  const names = view.groups.map((group) => group.name);
  const answer = { ...markChanges(found, scene.before, names), names };
  scene.answer = answer;
  showColumns(byId("columns"), view, answer, act);
  mapping.map.pick(mapPicks(answer));
  const method = states.state().method || corpus.defaults.method;
  showStage(...stageText(answer, method));
  byId("answer").textContent = sayChanges(answer);
  if (answer.stage !== "refined") return;
  settle();
  say([stageText(answer, method)[0], sayChanges(answer)].filter(Boolean).join(". "));
  const warnings = answer.warnings ?? [];
  byId("warnings").hidden = !warnings.length;
  fill(byId("warnings"), ...warnings.map((text) => element("li", { dir: "auto", text })));
  showExports(answer.command, answer.command_said);
  scene.settled = answer;
  showBeside(answer, view.groups, act.open, fail);
  followVerdictWhenIdle();
};

const picks = makePicks({
  show: showAnswer,
  busy: (stage) => showStage(`${states.state().method || scene.corpus.defaults.method} is ${stage} …`, "busy"),
  fail,
});

const followPicks = () => {
  const { corpus } = scene;
  const method = states.state().method || corpus.defaults.method;
  const isQuick = corpus.methods.find((each) => each.name === method)?.quick ?? false;
  picks.follow(states.state(), { defaults: corpus.defaults, isQuick, dragging: dragging(), viewKey: scene.view.key });
};

const followPath = async () => {
  try {
    showPath(byId("tracks"), await ask("path", "/api/path", states.asked()), scene.view.groups.map(nameOf), act.open);
    pointPath(byId("tracks"), contrast());
  } catch (error) {
    if (!(error instanceof Dropped)) fill(byId("tracks"), element("p", { class: "note", text: error.message }));
  }
};

const contrast = () => Number(states.state().contrast || scene.corpus.defaults.contrast);

const showAside = (view) => {
  const lines = [...(view.set_aside ?? []).map(({ reason, count }) => `${reason}: ${counted(count)}`),
    ...(view.notes ?? [])];
  byId("aside").hidden = !lines.length;
  fill(byId("aside-list"), ...lines.map((text) => element("li", { dir: "auto", text })));
};

const showLists = (view) => showSets(view, (set) => (set.kind === "search" ? search.search(set.what) : mapping.lightSet(set)));

const showView = (view) => {
  const { corpus } = scene;
  scene.view = view;
  paint(view.groups);
  document.title = `${view.title} · visavis`;
  byId("title").textContent = view.title;
  byId("overview").textContent = [view.overview, view.asked].filter(Boolean).map((text) => text.replace(/\.?$/u, ".")).join(" ");
  const range = readFilter(states.state().filter, dateColumn(corpus));
  showBrush(view.volume, view.groups, range, (days) => refilter(corpus, days));
  showAside(view);
  showLists(view);
};

const showControls = (isMove = false) => {
  const { corpus, view } = scene;
  const state = states.state();
  if (!isMove) {
    showGrouping(corpus, view, state);
    showNarrow(corpus, state);
  }
  if (!dragging()) showSettings(corpus, state);
  dial.show(state, corpus.defaults);
  byId("undo").disabled = !states.canUndo();
  byId("redo").disabled = !states.canRedo();
};

// Until all of a view is on the page, whatever else changes asks for a whole view again.
const loadView = async () => {
  const mine = ++views.asked;
  picks.stop();
  for (const kind of ["path", "assess", "titles", "search", "sets"]) drop(kind);
  const waiting = ({ stage }) => showProgress(stage || "reading");
  const view = await ask("view", "/api/view", states.asked(), { waiting });
  view.choices = states.state().compare_sets === "1" ? [] : await ask("choices", "/api/choices", states.asked());
  await checkCorpus();
  unlessOvertaken(mine);
  showProgress("");
  picks.forget();
  search.clear();
  showView(view);
  forgetVerdict(view);
  showControls();
  scene.answer = null;
  showColumns(byId("columns"), view, null, act);
  await mapping.load(view);
  unlessOvertaken(mine);
  views.shown = mine;
};

// The verdict is asked for when the picks have come and nothing moves: testing must not slow down choosing.
const giveWay = () => {
  clearTimeout(idle);
  drop("assess");
};

const followVerdictWhenIdle = () => {
  giveWay();
  idle = setTimeout(followVerdict, IDLE);
};

// A set that is not compared yet changes neither groups nor map: only its count is asked for.
const countSets = async () => {
  try {
    showLists(await ask("sets", "/api/view", states.asked()));
  } catch (error) {
    if (!(error instanceof Dropped)) fail(error);
  }
};

// What a change touches is asked for again, and nothing else.
const follow = async (state, before, isStep) => {
  const changed = before ? states.differing(state, before) : ["by"];
  if (isStep) scene.before = scene.settled;
  const isWhole = views.asked > 0 && views.shown === views.asked;
  const isMove = isWhole && changed.every((name) => states.MOVES.includes(name));
  showControls(isMove);
  if (isMove && String(changed) === "beside") return showBeside(scene.answer, scene.view.groups, act.open, fail);
  if (isWhole && String(changed) === "set" && state.compare_sets !== "1") return countSets();
  try {
    if (!isMove) await loadView();
    else if (changed.includes("pin") || changed.includes("ban")) say("Choosing again");
    followPicks();
    pointPath(byId("tracks"), contrast());
    if (!isMove || changed.some((name) => !OFF_PATH.has(name))) followPath();
    if (!isMove && scene.view.provisional) lookAgain();
    giveWay();
  } catch (error) {
    if (!(error instanceof Dropped)) fail(error);
  }
};

const watchKeys = () => {
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=range], [type=checkbox]), textarea, select");
    if (typing || byId("sheet").open) return;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "z") { event.preventDefault(); (event.shiftKey ? states.redo : states.undo)(); }
    else if ((event.ctrlKey || event.metaKey) && key === "y") { event.preventDefault(); states.redo(); }
    else if (key === "/" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); byId("search").focus(); }
  });
};

const watchTools = () => {
  byId("undo").addEventListener("click", states.undo);
  byId("redo").addEventListener("click", states.redo);
  byId("share").addEventListener("click", shareLink);
  byId("hold").addEventListener("click", () => (states.state().beside ? letGo() : hold()));
  byId("let-go").addEventListener("click", letGo);
  if (matchMedia("(max-width: 62rem)").matches) byId("rail-fold").open = false;
  watchMenu();
  watchKeys();
};

const main = async () => {
  const field = byId("field");
  field.tabIndex = 0;
  field.setAttribute("role", "application");
  watchTools();
  scene.corpus = await corpusAtHand();
  const bare = !location.search;
  states.start(bare ? scene.corpus.suggested ?? "" : location.search);
  states.listen(follow);
  say(`${scene.corpus.name}: ${plural(scene.corpus.documents, "document")}`);
  await follow(states.state(), null, true);
};

main().catch(fail);
