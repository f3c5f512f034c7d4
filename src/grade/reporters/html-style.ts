/** The report page's style: system fonts, light and dark, readable on paper. */
export const style = `
:root{color-scheme:light dark;--line:#8886;--ok:#1a7f37;--bad:#cf222e;--wait:#777;--warn:#9a6700}
@media(prefers-color-scheme:dark){:root{--ok:#3fb950;--bad:#f85149;--wait:#999;--warn:#d29922}}
body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:72rem;margin:0 auto;padding:1rem 1.5rem 4rem}
h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;overflow-wrap:anywhere}
h3{font-size:1.1rem}h3 small,.facts{font-weight:400;color:var(--wait)}h4{margin:.6rem 0 .2rem;font-size:.9rem}
.wide{overflow-x:auto}table{border-collapse:collapse}
.matrix th,.matrix td{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}
.matrix thead th{font-size:.85rem}.matrix td{white-space:nowrap}
.matrix tbody th{max-width:20rem;overflow-wrap:anywhere;font-weight:500}
td.passed,summary.passed,.passed>p>.mark{color:var(--ok)}td.failed,summary.failed,.failed>p>.mark{color:var(--bad)}
td.blocked,summary.blocked,.blocked>p>.mark{color:var(--wait)}td.error,summary.error,.error>p>.mark,.remark{color:var(--warn)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.4rem .8rem}
summary{cursor:pointer;font-weight:600}.points{color:var(--wait);font-weight:400;margin-left:.5rem}
.check{margin:.6rem 0 .6rem .3rem;padding-left:.8rem;border-left:3px solid var(--line)}
.check p{margin:.2rem 0}.check table th{text-align:left;font-weight:500;padding-right:1rem;vertical-align:top}.check table td{overflow-wrap:anywhere}
pre{background:#8882;padding:.5rem .7rem;border-radius:.3rem;overflow-x:auto;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
@media print{details{break-inside:avoid}}
`;
