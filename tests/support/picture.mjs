// Pictures made for tests: PNG from a rule for its pixels, and JPEG with what cameras add.

import { crc32, deflateSync } from 'node:zlib';

function chunk(type, content) {
    const body = Buffer.concat([Buffer.from(type), content]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(content.length);
    body.copy(out, 4);
    out.writeUInt32BE(checksum(body), body.length + 4);
    return out;
}

// zlib's is new in Node 20; PNG's own (W3C PNG, annex D) else.
const checksum = crc32 ?? ((bytes) => {
    let c = ~0;
    for (const byte of bytes) {
        c ^= byte;
        for (let i = 0; i < 8; i++) c = c & 1 ? c >>> 1 ^ 0xEDB88320 : c >>> 1;
    }
    return ~c >>> 0;
});

// An RGB picture; paint(x, y) gives [red, green, blue].
export function png(width, height, paint, { before = [] } = {}) {
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width);
    head.writeUInt32BE(height, 4);
    head.set([8, 2], 8);
    const rows = Buffer.alloc(height * (width * 3 + 1));
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
            rows.set(paint(x, y), y * (width * 3 + 1) + 1 + x * 3);
    return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head),
        ...before.map(([type, content]) => chunk(type, Buffer.from(content))),
        chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

// Four quarters of red, green, blue and white, from the top left by rows.
export const quarters = (width, height) => png(width, height, (x, y) =>
    [[220, 30, 30], [30, 180, 30], [30, 30, 220], [240, 240, 240]][
        (x * 2 < width ? 0 : 1) + (y * 2 < height ? 0 : 2)]);

// A JPEG with an Exif block (CIPA DC-008) that holds its orientation, a camera and a place.
export function photographed(jpeg, orientation) {
    const camera = Buffer.from('Testcam 1000\0');
    const tiff = Buffer.alloc(200);
    tiff.write('MM\0*', 'latin1');
    tiff.writeUInt32BE(8, 4);
    tiff.writeUInt16BE(3, 8);
    const entry = (at, tag, type, count, value) => {
        tiff.writeUInt16BE(tag, at);
        tiff.writeUInt16BE(type, at + 2);
        tiff.writeUInt32BE(count, at + 4);
        if (type === 3) tiff.writeUInt16BE(value, at + 8);
        else tiff.writeUInt32BE(value, at + 8);
    };
    entry(10, 0x110, 2, camera.length, 60); // Model
    entry(22, 0x112, 3, 1, orientation);
    entry(34, 0x8825, 4, 1, 80); // GPS
    camera.copy(tiff, 60);
    tiff.writeUInt16BE(1, 80);
    entry(82, 2, 5, 3, 120); // latitude
    for (const [i, number] of [39, 1, 54, 1, 20, 1].entries())
        tiff.writeUInt32BE(number, 120 + 4 * i);
    const head = Buffer.from([0xFF, 0xE1, 0, 0]);
    head.writeUInt16BE(2 + 6 + tiff.length, 2);
    return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from('Exif\0\0'), tiff,
        jpeg.subarray(2)]);
}
