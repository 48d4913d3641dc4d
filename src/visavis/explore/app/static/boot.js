// Before there is a comparison: no documents yet, documents being read, or something wrong with them.

import { ask, Refusal } from "./api.js";
import { byId, plural } from "./dom.js";
import { complain, settle } from "./notices.js";
import { watchUploads } from "./upload.js";

const only = (shown) => {
  for (const id of ["empty", "work", "tools", "corpus"]) byId(id).hidden = !shown.includes(id);
};

export const showProgress = (stage) => {
  byId("reading").hidden = !stage;
  if (!stage) return;
  byId("reading-stage").textContent = `${stage[0].toUpperCase()}${stage.slice(1)} …`;
};

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

const read = async () => {
  for (;;) {
    const corpus = await ask("corpus", "/api/corpus", "");
    if (corpus.state !== "reading") return corpus;
    only([]);
    showProgress(corpus.stage || "reading the documents");
    await wait(300);
  }
};

// Resolves with the corpus once there is one.
export const corpusAtHand = () => new Promise((resolve) => {
  const look = async () => {
    try {
      const corpus = await read();
      showProgress("");
      if (corpus.error) complain(new Refusal(corpus.error));
      if (corpus.state !== "ready") {
        only(["empty"]);
        return;
      }
      only(["work", "tools", "corpus"]);
      byId("corpus-name").textContent = corpus.name;
      byId("corpus-count").textContent = plural(corpus.documents, "document");
      resolve(corpus);
    } catch (error) {
      complain(error);
    }
  };
  watchUploads({
    begun: () => { settle(); only([]); showProgress("sending the documents"); },
    sent: look,
    fail: (error) => { showProgress(""); only(["empty"]); complain(error); },
  });
  look();
});
