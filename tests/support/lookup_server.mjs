// Stands where Crossref, DataCite, NCBI and ORCID do: an HTTP server on loopback whose answers
// a test sets by path, and which keeps what it was asked.

import http from 'node:http';

export async function startLookups() {
    const answers = new Map(), asked = [];
    const server = http.createServer((request, response) => {
        asked.push({ method: request.method, path: request.url, headers: request.headers });
        const answer = answers.get(request.url.split('?')[0]) ?? { status: 404 };
        if (answer.hang) return;
        if (answer.etag && request.headers['if-none-match'] === answer.etag) {
            response.writeHead(304).end();
            return;
        }
        response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json',
            ...(answer.etag && { ETag: answer.etag }), ...answer.headers });
        response.end(typeof answer.body === 'object' && !Buffer.isBuffer(answer.body)
            ? JSON.stringify(answer.body) : answer.body);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${server.address().port}`;
    const csl = 'application/vnd.citationstyles.csl+json';
    return {
        base, asked,
        env: { LABD_LOOKUP_CROSSREF: base, LABD_LOOKUP_DATACITE: base, LABD_LOOKUP_PUBMED: base,
            LABD_LOOKUP_ORCID: base },
        crossref: (doi, answer) => answers.set(
            `/v1/works/${encodeURIComponent(doi)}/transform/${csl}`, answer),
        datacite: (doi, answer) => answers.set(`/${csl}/${encodeURIComponent(doi)}`, answer),
        pubmed: (answer) => answers.set('/lit/ctxp/v1/pubmed/', answer),
        orcid: (id, answer) => answers.set(`/v3.0/${id}/works`, answer),
        at: (path, answer) => answers.set(path, answer),
        stop: () => new Promise((resolve) => {
            server.closeAllConnections();
            server.close(resolve);
        }),
    };
}
