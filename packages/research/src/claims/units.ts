/** Units by their own name, each with the words and signs that texts use for it. */
const UNITS: Readonly<Record<string, string>> = {
  "%": "% ％ percent per\u00a0cent prozent procent pour\u00a0cent por\u00a0ciento por\u00a0cento per\u00a0cento процент процента процентов pct",
  pp: "percentage\u00a0points percentage\u00a0point prozentpunkte prozentpunkt points\u00a0de\u00a0pourcentage",
  "°C": "°c ℃ celsius degrees\u00a0celsius grad\u00a0celsius degrés\u00a0celsius",
  "°F": "°f ℉ fahrenheit degrees\u00a0fahrenheit",
  K: "kelvin kelvins",
  "°": "° degrees degree grad degrés",
  nm: "nm nanometre nanometres nanometer nanometers nanomètres",
  µm: "µm μm micrometre micrometres micrometer micrometers micron microns",
  mm: "mm millimetre millimetres millimeter millimeters millimètre millimètres milímetros",
  cm: "cm centimetre centimetres centimeter centimeters zentimeter centimètres centímetros",
  m: "m metre metres meter meters metern mètre mètres metro metros metri",
  km: "km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetros quilômetros chilometri",
  mi: "mi mile miles meile meilen milles millas",
  ft: "ft foot feet fuß pieds",
  in: "inch inches zoll pouces",
  yd: "yd yard yards",
  au: "au astronomical\u00a0unit astronomical\u00a0units",
  ly: "light-year light-years light\u00a0year light\u00a0years lichtjahr lichtjahre années-lumière",
  "km²":
    "km² km2 sq\u00a0km square\u00a0kilometre square\u00a0kilometres square\u00a0kilometer square\u00a0kilometers quadratkilometer kilomètres\u00a0carrés",
  "m²": "m² m2 sq\u00a0m square\u00a0metre square\u00a0metres square\u00a0meter square\u00a0meters quadratmeter mètres\u00a0carrés",
  ha: "ha hectare hectares hektar",
  acre: "acre acres",
  "m³": "m³ m3 cubic\u00a0metre cubic\u00a0metres cubic\u00a0meter cubic\u00a0meters kubikmeter",
  l: "l litre litres liter liters litern litros litri",
  ml: "ml millilitre millilitres milliliter milliliters",
  gal: "gallon gallons",
  mg: "mg milligram milligrams milligramm",
  g: "g gram grams gramm grammes gramos",
  kg: "kg kilogram kilograms kilogramm kilogrammes kilogramos kilo kilos",
  t: "t tonne tonnes tons ton metric\u00a0tons tonnen toneladas",
  lb: "lb lbs pound pounds pfund",
  ms: "ms millisecond milliseconds millisekunden",
  s: "s sec second seconds sekunde sekunden seconde secondes segundos secondi",
  min: "min minute minutes minuten minutos minuti",
  h: "h hr hrs hour hours stunde stunden heure heures horas ore",
  d: "day days tag tage tagen jour jours días giorni",
  wk: "week weeks woche wochen semaine semaines semanas settimane",
  mo: "month months monat monate monaten mois meses mesi",
  yr: "yr yrs year years jahr jahre jahren ans année années año años anni",
  "km/h": "km/h kph kmh kilometres\u00a0per\u00a0hour kilometers\u00a0per\u00a0hour stundenkilometer",
  "m/s": "m/s metres\u00a0per\u00a0second meters\u00a0per\u00a0second",
  mph: "mph miles\u00a0per\u00a0hour",
  W: "w watt watts",
  kW: "kw kilowatt kilowatts",
  MW: "mw megawatt megawatts",
  GW: "gw gigawatt gigawatts",
  kWh: "kwh kilowatt-hour kilowatt-hours kilowatt\u00a0hours kilowattstunden",
  MWh: "mwh megawatt-hours megawatt\u00a0hours megawattstunden",
  TWh: "twh terawatt-hours terawatt\u00a0hours terawattstunden",
  J: "joule joules",
  V: "v volt volts",
  A: "ampere amperes amps",
  Hz: "hz hertz",
  MHz: "mhz megahertz",
  GHz: "ghz gigahertz",
  B: "byte bytes",
  kB: "kb kilobyte kilobytes kib",
  MB: "mb megabyte megabytes mib",
  GB: "gb gigabyte gigabytes gib",
  TB: "tb terabyte terabytes tib",
  Pa: "pa pascal pascals",
  bar: "bar bars",
  USD: "$ us$ usd dollar dollars us\u00a0dollars dólares",
  EUR: "€ eur euro euros",
  GBP: "£ gbp pounds\u00a0sterling",
  CHF: "chf sfr franken swiss\u00a0francs francs\u00a0suisses",
  JPY: "¥ jpy yen 円",
  CNY: "cny rmb yuan 元",
  INR: "₹ inr rupee rupees",
};

const NAMES = new Map(
  Object.entries(UNITS).flatMap(([unit, words]) =>
    words.split(" ").map((word) => [word.replaceAll("\u00a0", " "), unit] as const),
  ),
);
/** A symbol counts as it is written: `5 M` is not five metres. */
const SYMBOL = /^[a-zA-Z]{1,2}$/;
/** Symbols that are words of a language. */
const NO_SYMBOLS = new Set(["in"]);
const CURRENCY = /(?:US\$|[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR))\s?$/u;
const LONGEST = 3;

/** The unit of the number that ends at `end` or begins at `start`, by its own name; `undefined` when none is known. */
export function unitAt(text: string, { start, end }: { start: number; end: number }): string | undefined {
  const before = CURRENCY.exec(text.slice(Math.max(0, start - 5), start))?.[0].trim();
  if (before !== undefined) return NAMES.get(before.toLowerCase());
  // The 1990s are no seconds.
  if (/^s\b/.test(text.slice(end, end + 2)) && end - start === 4) return undefined;
  const rest = text.slice(end, end + 60).replace(/^[\s\u00a0\u202f-]{1,3}/u, "");
  const words = /^(?:[%％°℃℉€£$¥₹円元]\s?[CF]?(?![\p{L}])|[\p{L}µμ²³/]+\d?(?:[\s\u00a0-][\p{L}-]+){0,2})/u.exec(
    rest,
  )?.[0];
  if (words === undefined) return undefined;
  const parts = words.split(/[\s\u00a0]/u);
  for (let count = Math.min(LONGEST, parts.length); count > 0; count--) {
    const name = parts.slice(0, count).join(" ");
    const unit = unitNamed(name);
    if (unit !== undefined) return unit;
  }
  return unitNamed(words.replace(/\s/gu, ""));
}

function unitNamed(name: string): string | undefined {
  if (Object.hasOwn(UNITS, name) && !NO_SYMBOLS.has(name)) return name;
  return SYMBOL.test(name) && name !== name.toLowerCase() ? undefined : NAMES.get(name.toLowerCase());
}

/** Every unit that a text names, beside a number or not. */
export function unitsIn(text: string): Set<string> {
  const found = new Set<string>();
  const words = text.match(/[%％°℃℉€£$¥₹円元]|[\p{L}µμ][\p{L}µμ²³/-]*\d?/gu) ?? [];
  for (let at = 0; at < words.length; at++) {
    for (let count = 1; count <= LONGEST; count++) {
      const name = words.slice(at, at + count).join(" ");
      const unit = name.length === 1 && /\p{L}/u.test(name) ? undefined : unitNamed(name);
      if (unit !== undefined) found.add(unit);
    }
  }
  if (/°\s?C/u.test(text)) found.add("°C");
  if (/°\s?F/u.test(text)) found.add("°F");
  return found;
}
