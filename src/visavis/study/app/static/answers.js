// Answers of a form marked data-keep outlive a reload, a lost connection and a locked phone: they are kept in this
// browser until the server has them, and sent until it does. The server takes a questionnaire once, by its token.
const PREFIX = "visavis-answers:";
const AGAIN = 3000; // milliseconds between two tries
const PATIENCE = 20000; // milliseconds that a try may take
const HIDDEN = ["csrf", "item"];

function openStorage() {
  try {
    window.localStorage.setItem(PREFIX, "");
    window.localStorage.removeItem(PREFIX);
    return window.localStorage;
  } catch {
    return null; // refused, as in some private windows: then nothing outlives the page
  }
}

// What was sent from an earlier page and may not have arrived is sent once more; what was never sent is forgotten.
async function clear(storage, name, csrf) {
  const { answers, sent, action, item } = JSON.parse(storage.getItem(name));
  try {
    const body = new URLSearchParams([...answers, ["csrf", csrf], ["item", item]]);
    if (sent && csrf) await fetch(action, { method: "POST", body });
  } catch {
    return; // another page will try
  }
  storage.removeItem(name);
}

function clearAllBut(storage, key) {
  const csrf = document.querySelector("input[name=csrf]")?.value;
  for (const name of Object.keys(storage ?? {})) {
    if (name.startsWith(PREFIX) && name !== key) clear(storage, name, csrf);
  }
}

class KeptForm {
  constructor(form, storage) {
    this.form = form;
    this.storage = storage;
    this.item = form.querySelector("input[name=item]").value; // form.elements.item is a method
    this.key = PREFIX + this.item;
    this.status = form.querySelector("[role=status]");
    this.sent = false;
    this.sending = false;
  }

  save() {
    const answers = [...new FormData(this.form)].filter(([name]) => !HIDDEN.includes(name));
    try {
      this.storage?.setItem(this.key, JSON.stringify({ answers, sent: this.sent, action: this.form.action, item: this.item }));
    } catch {
      // full: the page itself still holds them
    }
  }

  restore() {
    const kept = JSON.parse(this.storage?.getItem(this.key) ?? "null");
    for (const [name, value] of kept?.answers ?? []) {
      for (const field of this.form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.type === "radio" || field.type === "checkbox") field.checked ||= field.value === value;
        else field.value = value;
      }
    }
    if (kept?.sent) this.send();
  }

  async send() {
    if (this.sending) return;
    this.sending = this.sent = true;
    this.save();
    try {
      const body = new URLSearchParams(new FormData(this.form));
      const signal = AbortSignal.timeout?.(PATIENCE);
      const answer = await fetch(this.form.action, { method: "POST", body, signal });
      if (answer.status >= 500 || answer.status === 429) throw new Error("not now");
      this.leave(answer);
    } catch {
      this.status.textContent = this.status.dataset.waiting;
      this.sending = false;
      setTimeout(() => this.send(), AGAIN);
    }
  }

  leave(answer) {
    if (answer.ok) {
      this.storage?.removeItem(this.key);
      window.location.assign(answer.url);
    } else {
      this.sent = false;
      this.save();
      this.form.submit(); // the server's own page says what is wrong
    }
  }

  listen() {
    this.form.addEventListener("input", () => this.save());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    const retry = () => this.sent && document.visibilityState === "visible" && this.send();
    window.addEventListener("online", retry);
    document.addEventListener("visibilitychange", retry);
  }
}

const storage = openStorage();
const form = document.querySelector("form[data-keep]");
const kept = form ? new KeptForm(form, storage) : null;
clearAllBut(storage, kept?.key);
kept?.listen();
kept?.restore();
