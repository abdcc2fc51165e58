type Line = (string | { raised: string })[];

/** A PDF of pages with lines of text, as small as a reader takes it. A raised text stands behind the line before. */
export function simplePdf(pages: readonly Line[]): Uint8Array {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""];
  const kids: string[] = [];
  for (const lines of pages) {
    const content = `BT /F1 12 Tf 72 720 Td ${lines.map(lineOf).join(" ")} ET`;
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    const font = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources << /Font ${font} >> >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  let pdf = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = pdf.length;
    pdf += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const xref = pdf.length;
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join("")}`;
  pdf += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF`;
  return new TextEncoder().encode(pdf);
}

function lineOf(line: string | { raised: string }, at: number): string {
  if (typeof line !== "string") return `/F1 7 Tf 5 Ts (${line.raised}) Tj 0 Ts /F1 12 Tf`;
  return at === 0 || line.startsWith(" ") ? `(${line}) Tj` : `0 -16 Td (${line}) Tj`;
}
