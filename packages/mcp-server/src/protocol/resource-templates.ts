export const SCHEME = "report://";
export const MARKDOWN = "text/markdown";

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${SCHEME}{job_id}`,
    name: "report",
    title: "Finished report",
    description: "The whole report of a finished research, with its sources, as Markdown.",
    mimeType: MARKDOWN,
  },
];
