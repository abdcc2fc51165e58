// The pages of the recorded topic, and the proxy on loopback that answers for them. The words are ours and so are the
// addresses, which belong to nobody; the facts are those of the real page that each one names.
import { once } from "node:events";
import { createServer } from "node:http";

/** The pages, by a short name. `real`: where the facts are from. */
export const PAGES = {
  cgpm: {
    url: "http://metrology.example/resolution-4",
    title: "Resolution 4 of the world's metrology conference (2022)",
    text: "The conference decides that the maximum value for the difference between UT1 and UTC will be increased in, or before, 2035. It asks for a new maximum that keeps UTC continuous for at least a century, to be proposed in 2026. It notes that a negative leap second may become necessary, which has never been foreseen or tested.",
    real: "https://www.bipm.org/en/cgpm-2022/resolution-4",
  },
  nature: {
    url: "http://rotation.example/agnew-2024",
    title: "A timekeeping problem postponed by global warming (2024)",
    text: "Duncan Agnew separates the causes of the Earth's changing rotation. The core's spin is slowing, so the solid Earth turns faster; melting polar ice works against it. Extrapolated, UTC as it is defined today needs a negative leap second by 2029; had the ice not melted faster lately, it would have been three years earlier.",
    real: "https://www.nature.com/articles/s41586-024-07170-0",
  },
  nist: {
    url: "http://time-faq.example/leap-seconds",
    title: "Questions about leap seconds",
    text: "Leap seconds keep UTC within 0.9 s of astronomical time, UT1. The first was added on 30 June 1972, and 27 have been added so far. All of them were positive. A negative one has never been needed.",
    real: "https://www.nist.gov/pml/time-and-frequency-division/leap-seconds-faqs",
  },
  bulletin: {
    url: "http://earth-rotation.example/bulletin-c",
    title: "Bulletin C",
    text: "Announces twice a year whether a leap second will be introduced. From 1 January 2017, 0h UTC, until further notice, UTC is 37 s behind atomic time (TAI).",
    real: "https://hpiers.obspm.fr/iers/bul/bulc/bulletinc.dat",
  },
  itu: {
    url: "http://radio.example/wrc-23",
    title: "World Radiocommunication Conference closes (2023)",
    text: "WRC-23 endorsed the decision to adopt a continuous UTC as the standard by 2035, with the possibility to extend the deadline to 2040 where existing equipment cannot be replaced earlier.",
    real: "https://www.itu.int/en/mediacentre/Pages/PR-2023-12-15-WRC23-closing-ceremony.aspx",
  },
  meta: {
    url: "http://engineering.example/leave-it-in-the-past",
    title: "It's time to leave the leap second in the past (2022)",
    text: "Meta asks to stop adding leap seconds. Negative ones have never been tested at scale and could be devastating for software that relies on timers or schedulers.",
    real: "https://engineering.fb.com/2022/07/25/production-engineering/its-time-to-leave-the-leap-second-in-the-past/",
  },
  cloudflare: {
    url: "http://outages.example/new-year-2017",
    title: "How the leap second affected Cloudflare (2017)",
    text: "At midnight UTC on New Year's Day 2017 a number in the DNS software went negative where zero was the least it should be, because the code assumed that time cannot go backwards. Some lookups failed.",
    real: "https://blog.cloudflare.com/how-and-why-the-leap-second-affected-cloudflare-dns/",
  },
  smear: {
    url: "http://smear.example/24-hours",
    title: "Leap smear",
    text: "Google runs clocks slightly slower for 24 hours, from noon to noon UTC around the leap second, instead of adding one. The change is about 11.6 parts per million.",
    real: "https://developers.google.com/time/smear",
  },
};

/** Their hosts. */
export const HOSTS = Object.values(PAGES).map(({ url }) => new URL(url).hostname);

/** Answers for the pages, and for no other address; `env`: the variables that name it as the proxy. */
export async function startPages() {
  const server = createServer(({ url }, response) => {
    const page = Object.values(PAGES).find((known) => known.url === url);
    if (page === undefined) response.writeHead(404).end();
    else response.setHeader("content-type", "text/html; charset=utf-8").end(htmlOf(page));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const proxy = `http://127.0.0.1:${server.address().port}`;
  return {
    env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "127.0.0.1,localhost" },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function htmlOf({ title, text, real }) {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>
<p>${text}</p>
<p>A page of the demo. The facts are from <a href="${real}">${new URL(real).hostname}</a>, the words are not.</p></html>`;
}
