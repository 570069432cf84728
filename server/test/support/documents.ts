import { deflateRawSync, crc32 } from "node:zlib";

/** A ZIP archive of these files. Office documents are such archives. */
export function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [content, path] = [Buffer.from(text), Buffer.from(name)];
    const isStored = name === "mimetype";
    const data = isStored ? content : deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isStored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, path, data]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.from("PK\x01\x02\x14\x00", "latin1"),
      common,
      entry.subarray(0, 14),
      path,
    );
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

const office = (folder: string, kind: string) =>
  zip({
    "_rels/.rels": "<Relationships/>",
    [`${folder}/main.xml`]: "<main/>",
    "[Content_Types].xml": `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
  });

const openDocument = (kind: string) => {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  return zip({ mimetype: type, "content.xml": "<office/>" });
};

const ofOffice = "application/vnd.openxmlformats-officedocument";
const ofOpen = "application/vnd.oasis.opendocument";
const box = (type: string, brand: string) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}\0\0\0\0${brand}${type}`, "latin1"),
    Buffer.alloc(64),
  ]);

/** A small file of each type, as programs write it. */
export const samples: Readonly<Record<string, Buffer>> = {
  "application/pdf": Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"),
  "image/gif": Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"),
  "audio/mpeg": Buffer.concat([
    Buffer.from("ID3\x04\0\0\0\0\0\x0a", "latin1"),
    Buffer.alloc(10),
    Buffer.from([0xff, 0xfb, 0x90, 0x64]),
    Buffer.alloc(500),
  ]),
  "audio/mp4": box("isom", "M4A "),
  "video/mp4": box("isom", "isom"),
  "text/plain": Buffer.from("Lição 1\r\nDeus é amor.\n"),
  "text/csv": Buffer.from("Nome;Presen\xe7a\n", "latin1"),
  [`${ofOffice}.wordprocessingml.document`]: office("word", "wordprocessingml.document"),
  [`${ofOffice}.spreadsheetml.sheet`]: office("xl", "spreadsheetml.sheet"),
  [`${ofOffice}.presentationml.presentation`]: office("ppt", "presentationml.presentation"),
  [`${ofOpen}.text`]: openDocument("text"),
  [`${ofOpen}.spreadsheet`]: openDocument("spreadsheet"),
  [`${ofOpen}.presentation`]: openDocument("presentation"),
  "application/epub+zip": zip({ "mimetype": "application/epub+zip", "OEBPS/a.xhtml": "<p/>" }),
  "application/zip": zip({ "notes.txt": "hello" }),
};
