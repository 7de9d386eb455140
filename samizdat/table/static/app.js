// The table as an app: a service worker keeps what is needed to read a board without a network. Browsers have one only
// on a safe connection.
const { fingerprint } = document.documentElement.dataset;

if (fingerprint) addEventListener("load", () => {
  navigator.serviceWorker?.register(`/service-worker.js?v=${fingerprint}`).catch(() => null);
});
