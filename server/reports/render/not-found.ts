import { STYLE } from './html-style.ts'
import { Html, html } from './markup.ts'

/** The page for a report that does not exist or is not published. It has the style of a report, which its policy allows. */
export const renderNotFound = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Report not found</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>Report not found</h1>
<p>This report does not exist, or it is not published any more. Ask the people who sent you the link for a new one.</p>
</main>
</body>
</html>
`.source
