/**
 * The one script of the pages: it puts what the server says into the part that lives, and leaves the reader's place as it is.
 * Without it the page loads itself anew.
 */
export const LIVE_SCRIPT = `
(() => {
  const live = document.getElementById("live");
  const from = live && live.dataset.events;
  if (!from) return;
  const events = new EventSource(from);
  events.addEventListener("change", ({ data }) => {
    const at = document.activeElement && live.contains(document.activeElement) ? document.activeElement.id : "";
    live.innerHTML = JSON.parse(data);
    if (at) document.getElementById(at)?.focus();
  });
  events.addEventListener("time", ({ data }) => {
    document.getElementById("time").textContent = data;
  });
  events.addEventListener("end", () => {
    events.close();
    location.reload();
  });
})();
`;
