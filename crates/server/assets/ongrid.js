// What scripts add to pages that are whole without them.
"use strict";

/** Scrubbing a report: fetches the round alone instead of the page. */
function scrub(form) {
  const slider = form.elements.round;
  const state = document.getElementById("state");
  const chart = document.querySelector(".hitpoints");
  const cursor = chart.querySelector(".cursor");
  const kept = new Map();
  let wanted = Number(slider.value);
  let timer = 0;

  async function part(round) {
    if (!kept.has(round)) {
      const answer = await fetch(form.dataset.scrub + round);
      if (!answer.ok) throw new Error(answer.statusText);
      kept.set(round, await answer.text());
    }
    return kept.get(round);
  }

  async function show(round) {
    wanted = round;
    slider.value = round;
    slider.setAttribute("aria-valuetext", "Round " + round + " of " + slider.max);
    const x = Number(chart.dataset.left) + Number(chart.dataset.step) * round;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    try {
      const html = await part(round);
      if (wanted !== round) return;
      state.innerHTML = html;
      history.replaceState(null, "", "?round=" + round + "#scrub");
    } catch {
      location.search = "?round=" + round;
    }
  }

  slider.addEventListener("input", () => show(Number(slider.value)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(Number(slider.value));
  });
  form.querySelector("[type=submit]").hidden = true;
  state.addEventListener("click", (event) => {
    const link = event.target.closest("[data-round]");
    if (!link) return;
    event.preventDefault();
    const forward = link.rel === "next";
    show(Number(link.dataset.round)).then(() => {
      const again = state.querySelector(forward ? "[rel=next]" : "[rel=prev]");
      if (again) again.focus({ preventScroll: true });
    });
  });

  const play = form.querySelector("[data-play]");
  play.hidden = false;
  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (wanted >= Number(slider.max)) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (wanted >= Number(slider.max)) return stop();
      show(wanted + 1);
    }, 900);
  });
}

/** Time left until an instant, once a second. */
function countdown(element) {
  const until = Date.parse(element.dataset.until);
  function tick() {
    const left = Math.max(0, Math.floor((until - Date.now()) / 1000));
    const two = (n) => String(n).padStart(2, "0");
    element.textContent = two(Math.floor(left / 3600)) + ":" + two(Math.floor(left / 60) % 60) + ":" + two(left % 60);
  }
  tick();
  setInterval(tick, 1000);
}

/** A button that copies this page's address. */
function copies(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  const text = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = text), 2000);
  });
}

document.querySelectorAll("[data-scrub]").forEach(scrub);
document.querySelectorAll("[data-until]").forEach(countdown);
document.querySelectorAll("[data-copy]").forEach(copies);

/** What the service does right now, sent by it. */
function follow(element) {
  const events = new EventSource(element.dataset.events);
  events.onmessage = (event) => (element.innerHTML = event.data);
  addEventListener("pagehide", () => events.close());
}
document.querySelectorAll("[data-events]").forEach(follow);
