// A form marked data-once is sent once: its button rests after the first click, and wakes when the page is shown again.
for (const form of document.querySelectorAll("form[data-once]")) {
  const button = form.querySelector("button[type=submit]");
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent === "yes") {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    button.setAttribute("aria-disabled", "true");
  });
  window.addEventListener("pageshow", () => {
    delete form.dataset.sent;
    button.removeAttribute("aria-disabled");
  });
}
