/** Units that take a prefix, by their symbol, each with the words that texts use. */
const PREFIXED: Readonly<Record<string, string>> = {
  m: "metre metres meter meters metern mètre mètres metro metros metri метр метра метров",
  g: "gram grams gramm gramme grammes gramo gramos grammi грамм грамма граммов",
  l: "litre litres liter liters litern litro litros litri литр литра литров",
  t: "ton tonne tonnes tonnen tonnellata tonnellate тонна тонны тонн",
  s: "second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi секунда секунды секунд",
  W: "watt watts ватт",
  Wh: "watt-hour watt-hours wattstunde wattstunden wattheure wattheures",
  J: "joule joules",
  cal: "calorie calories kalorie kalorien calorías",
  V: "volt volts",
  A: "ampere amperes amps ampère ampères",
  Hz: "hertz",
  Pa: "pascal pascals",
  B: "byte bytes",
  bit: "bits",
  Bq: "becquerel becquerels",
  eV: "electronvolt electronvolts",
  bar: "bars",
};
const PREFIXES: Readonly<Record<string, string>> = {
  T: "tera",
  G: "giga",
  M: "mega méga",
  k: "kilo kiló quilo кило",
  h: "hecto hekto hectó",
  c: "centi zenti centí santi санти",
  m: "milli mili милли",
  µ: "micro mikro",
  n: "nano",
  p: "pico piko",
};

/** Units without a prefix. A no-break blank joins words. */
const OTHERS: Readonly<Record<string, string>> = {
  "%": "％ percent per\u00a0cent prozent procent pour\u00a0cent por\u00a0ciento por\u00a0cento per\u00a0cento процент процента процентов pct",
  pp: "percentage\u00a0points percentage\u00a0point prozentpunkte prozentpunkt prozentpunkten points\u00a0de\u00a0pourcentage",
  "°C": "℃ celsius degrees\u00a0celsius degrees\u00a0c grad\u00a0celsius degrés\u00a0celsius",
  "°F": "℉ fahrenheit degrees\u00a0fahrenheit degrees\u00a0f",
  K: "kelvin kelvins",
  "°": "degrees degree grad degrés grados",
  mi: "mile miles meile meilen milles millas",
  ft: "foot feet fuß pieds",
  inch: "inches zoll pouces",
  yd: "yard yards",
  au: "astronomical\u00a0unit astronomical\u00a0units",
  ly: "light-year light-years light\u00a0year light\u00a0years lichtjahr lichtjahre lichtjahren",
  ha: "hectare hectares hektar hectáreas ettari гектар гектаров",
  acre: "acres",
  gal: "gallon gallons",
  lb: "lbs pound pounds pfund",
  oz: "ounce ounces",
  kg: "kilo kilos",
  min: "minute minutes minuten minuto minutos minuti минута минуты минут",
  h: "hr hrs hour hours stunde stunden heure heures hora horas ora час часа часов",
  d: "day days tag tage tagen jour jours día días giorno giorni день дня дней",
  wk: "week weeks woche wochen semaine semaines semana semanas settimana settimane",
  mo: "month months monat monate monaten mois mes meses mese mesi",
  yr: "yrs year years jahr jahre jahren année années año años anno anni год года лет",
  mph: "miles\u00a0per\u00a0hour",
  kn: "knot knots knoten nœuds",
  USD: "$ us$ dollar dollars us\u00a0dollars dólares dollari",
  EUR: "€ euro euros",
  GBP: "£ pounds\u00a0sterling",
  CHF: "sfr franken swiss\u00a0francs francs\u00a0suisses",
  JPY: "¥ yen 円",
  CNY: "rmb yuan 元",
  INR: "₹ rupee rupees",
  RUB: "₽ rouble roubles ruble rubles рубль рубля рублей",
};

const SYMBOLS = new Set([
  ...Object.keys(OTHERS),
  ...Object.keys(PREFIXED).flatMap((base) => [base, ...Object.keys(PREFIXES).map((prefix) => prefix + base)]),
  "L",
]);

const WORDS = new Map<string, string>();
for (const [unit, words] of Object.entries(OTHERS)) {
  for (const word of words.split(" ")) WORDS.set(word.replaceAll("\u00a0", " "), unit);
}
for (const [base, words] of Object.entries(PREFIXED)) {
  for (const word of words.split(" ")) {
    WORDS.set(word, base);
    for (const [prefix, names] of Object.entries(PREFIXES)) {
      for (const name of names.split(" ")) WORDS.set(name + word, prefix + base);
    }
  }
}
const POWERS: Readonly<Record<string, string>> = {
  square: "²",
  sq: "²",
  quadrat: "²",
  cubic: "³",
  cu: "³",
  kubik: "³",
};
const POWER = /^(square|sq|cubic|cu)\.?[\s\u00a0]|^(quadrat|kubik)(?=\p{L})/iu;
const CURRENCY = /(?:US\$|[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR|RUB))\s?$/u;
const PER = /^(?:\/|\s?per\s|\s?pro\s|\s?par\s|\s?al\s)(?=\p{L})/iu;
const SIGN = /^(?:[%％°℃℉€£$¥₹₽円元]\s?[CF]?(?!\p{L}))/u;
const WORD = /^[\p{L}µμ$]+(?:-\p{L}+)?[²³]?(?:[23](?!\d))?/u;
const LONGEST = 4;

interface Read {
  unit: string;
  length: number;
}

/** The unit of the number that stands at a place, by its own name; `undefined` when none is known. */
export function unitAt(text: string, { start, end }: { start: number; end: number }): string | undefined {
  const before = CURRENCY.exec(text.slice(Math.max(0, start - 5), start))?.[0].trim();
  if (before !== undefined) return SYMBOLS.has(before) ? before : WORDS.get(before.toLowerCase());
  // The 1990s are no seconds.
  if (/^s\b/.test(text.slice(end, end + 2)) && end - start === 4) return undefined;
  return readUnit(text.slice(end, end + 80).replace(/^[\s\u00a0\u202f-]{1,3}/u, ""))?.unit;
}

/** Characters from the end of a number to that of its unit; 0 when no unit stands behind it. */
export function unitLengthAt(text: string, end: number): number {
  const gap = /^[\s\u00a0\u202f-]{1,3}/u.exec(text.slice(end, end + 4))?.[0].length ?? 0;
  const length = readUnit(text.slice(end + gap, end + gap + 80))?.length;
  return length === undefined ? 0 : gap + length;
}

/** Every unit that a text names, beside a number or not. */
export function unitsIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { index, 0: begin } of text.matchAll(
    /[%％°℃℉€£$¥₹₽円元]|(?<![\p{L}\p{N}])[\p{L}µμ]{2}|(?<=[(\s])\p{L}(?=[)²³/])/gu,
  )) {
    const unit = readUnit(text.slice(index, index + 80))?.unit;
    if (unit !== undefined && begin !== "") found.add(unit);
  }
  return found;
}

/** The unit that a text begins with, one divided by another included. */
function readUnit(text: string): Read | undefined {
  const first = readSimple(text);
  if (first === undefined) return undefined;
  const per = PER.exec(text.slice(first.length))?.[0];
  const second = per === undefined ? undefined : readSimple(text.slice(first.length + per.length));
  if (per === undefined || second === undefined) return first;
  return { unit: `${first.unit}/${second.unit}`, length: first.length + per.length + second.length };
}

function readSimple(text: string): Read | undefined {
  const sign = SIGN.exec(text)?.[0];
  if (sign !== undefined) {
    const unit = sign.replace(/\s/g, "");
    return { unit: SYMBOLS.has(unit) ? unit : (WORDS.get(unit) ?? unit), length: sign.length };
  }
  const power = POWER.exec(text);
  const mark = POWERS[(power?.[1] ?? power?.[2] ?? "").toLowerCase()] ?? "";
  const rest = text.slice(power?.[0].length ?? 0);
  const words: string[] = [];
  for (let length = 0, at = 0; words.length < LONGEST; at = length) {
    const word = WORD.exec(rest.slice(at))?.[0];
    if (word === undefined) break;
    words.push(word);
    length = at + word.length + 1;
    if (!/^[\s\u00a0]/u.test(rest.slice(length - 1))) break;
  }
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(" ");
    const unit = unitNamed(name);
    if (unit !== undefined) return { unit: unit + mark, length: (power?.[0].length ?? 0) + name.length };
  }
  return undefined;
}

function unitNamed(name: string): string | undefined {
  const power = /[²³]$|(?<=\p{L})[23]$/u.exec(name)?.[0] ?? "";
  const bare = name.slice(0, name.length - power.length).replace("μ", "µ");
  const mark = power === "2" ? "²" : power === "3" ? "³" : power;
  if (SYMBOLS.has(bare)) return (bare.endsWith("L") ? `${bare.slice(0, -1)}l` : bare) + mark;
  if (/^[µcdhkmMnp]?L$/.test(bare)) return `${bare.slice(0, -1)}l${mark}`;
  // A symbol counts as it is written: `5 M` is not five metres.
  if (bare.length <= 2 && bare !== bare.toLowerCase()) return undefined;
  const unit =
    WORDS.get(bare.toLowerCase()) ??
    (bare.length > 1 && SYMBOLS.has(bare.toLowerCase()) ? bare.toLowerCase() : undefined);
  return unit === undefined ? undefined : unit + mark;
}
