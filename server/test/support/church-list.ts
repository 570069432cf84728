/**
 * A list of members as a Brazilian church keeps it: semicolons, Windows-1252, labels in Portuguese, numbers without an area code,
 * several ways to write "none", years of two digits, birthdays without a year, and families that share a surname. Three cells are
 * wrong.
 */

const women = [
  "Maria",
  "Ana",
  "Francisca",
  "Antônia",
  "Adriana",
  "Juliana",
  "Márcia",
  "Fernanda",
  "Patrícia",
  "Aline",
  "Sandra",
  "Camila",
  "Letícia",
  "Mariana",
  "Gabriela",
  "Vanessa",
  "Lúcia",
  "Rosângela",
  "Cecília",
  "Débora",
];
const men = [
  "José",
  "João",
  "Antônio",
  "Francisco",
  "Carlos",
  "Paulo",
  "Pedro",
  "Lucas",
  "Luiz",
  "Marcos",
  "Gabriel",
  "Rafael",
  "Daniel",
  "Marcelo",
  "Bruno",
  "Eduardo",
  "Felipe",
  "Raimundo",
  "Rodrigo",
  "Sérgio",
  "Otávio",
  "Davi",
  "Caio",
];
const surnames = [
  "da Silva",
  "dos Santos",
  "Oliveira",
  "de Souza",
  "Rodrigues",
  "Ferreira",
  "Alves",
  "Pereira",
  "Lima",
  "Gomes",
  "Costa",
  "Ribeiro",
  "Martins",
  "Carvalho",
  "Araújo",
  "Conceição",
  "Falcão",
];
const streets = [
  "Rua das Acácias",
  "Av. Brasil",
  "Rua São João",
  "Travessa Ipê",
  "Rua José Bonifácio",
];
const districts = ["Centro", "Jardim América", "Vila São José", "Cambuí"];
const ministries = [
  "",
  "Louvor",
  "Infantil",
  "Louvor; Infantil",
  "",
  "Intercessão",
  "",
  "Recepção",
];

export const headers = [
  "Nº",
  "Nome completo",
  "Sexo",
  "Nascimento",
  "Estado civil",
  "Situação",
  "Celular",
  "E-mail",
  "Batizado",
  "Família",
  "Cód. família",
  "Parentesco",
  "Rua",
  "Número",
  "Bairro",
  "Cidade",
  "Ministério",
];

export const listMapping = {
  "Nº": "external-ids.ficha",
  "Nome completo": "full-name",
  "Sexo": "sex",
  "Nascimento": "birthdate",
  "Estado civil": "marital-status",
  "Situação": "membership-status",
  "Celular": "phone",
  "E-mail": "email",
  "Batizado": "is-baptized",
  "Família": "household",
  "Parentesco": "household-role",
  "Rua": "address.street",
  "Número": "address.number",
  "Bairro": "address.neighborhood",
  "Cidade": "address.city",
  "Ministério": "tag",
};

export const LIST_ROWS = 420;

/** The translations that the first dry run asks for, of the words that only this church uses. */
export const listMeanings = {
  Situação: { "Afastado": "former-member", "Rol de menores": "attender" },
  Parentesco: { Sogra: "other", Neto: "dependent" },
};

interface Relative {
  kinship: string;
  isMan: boolean;
  born: number;
  isMarried: boolean;
}

const adult = (kinship: string, isMan: boolean, born: number): Relative => ({
  kinship,
  isMan,
  born,
  isMarried: true,
});

const young = (kinship: string, isMan: boolean, born: number): Relative => ({
  kinship,
  isMan,
  born,
  isMarried: false,
});

function relativesOf(n: number): Relative[] {
  const born = 1_948 + ((n * 7) % 44);
  const father = adult("Pai", true, born);
  const mother = adult(n % 3 === 0 ? "Esposa" : "Mãe", false, born + 2);
  const children = [young("Filho(a)", n % 2 === 0, born + 25), young("Filha", false, born + 28)];
  switch (n % 5) {
    case 0:
      return [father, mother, ...children, young("Filho", true, born + 31)];
    case 1:
      return [father, mother, ...children];
    case 2:
      return [mother, ...children, adult("Sogra", false, born - 8)];
    case 3:
      return [father, mother, young("Filho", true, born + 24), young("Neto", true, born + 29)];
    default:
      return [father, mother, young("Filho(a)", n % 4 === 0, born + 26)];
  }
}

const two = (number: number) => String(number).padStart(2, "0");

function birthOf(born: number, place: number): string {
  const day = `${two(1 + ((place * 11) % 28))}/${two(1 + ((place * 5) % 12))}`;
  switch (place % 9) {
    case 0:
    case 1:
      return `${day}/${two(born % 100)}`;
    case 2:
      return day;
    case 3:
      return ["-", "00/00/0000", ""][place % 2] ?? "";
    default:
      return `${day}/${born}`;
  }
}

function phoneOf(place: number): string {
  const mobile = `9${8_100 + ((place * 37) % 1_800)}-${1_000 + ((place * 7_919) % 9_000)}`;
  switch (place % 8) {
    case 0:
      return `(19) ${mobile}`;
    case 1:
      return ["não tem", "-", "N/A", ""][place % 4] ?? "";
    case 2:
      return `3${200 + (place % 700)}-${1_000 + ((place * 7_919) % 9_000)}`;
    case 3:
      return `019${mobile.replace("-", "")}`;
    case 4:
      return `+55 11 ${mobile}`;
    default:
      return mobile;
  }
}

const maritalOf = ({ isMan, isMarried }: Relative, place: number): string => {
  if (!isMarried) return "Solteiro(a)";
  if (place % 17 === 0) return isMan ? "Viúvo" : "VIÚVA";
  if (place % 23 === 0) return "União estável";
  return place % 29 === 0 ? "divorciado(a)" : "Casado(a)";
};

function statusOf({ born }: Relative, place: number): string {
  if (born > 2_012) return "Rol de menores";
  if (place % 19 === 0) return "Afastado";
  return ["Membro", "Membro", "MEMBRO", "Congregado", "Visitante", "Membro"][place % 6] ?? "";
}

/** The cells that no setting can mend, by their rows. */
const wrong: Readonly<Record<number, readonly [column: string, cell: string]>> = {
  57: ["Nascimento", "31/02/1980"],
  190: ["E-mail", "marcia.alves@"],
  333: ["Celular", "9876"],
};

function rows(): string[][] {
  const all: string[][] = [];
  for (let family = 0; all.length < LIST_ROWS; family += 1) {
    const surname = surnames[family % surnames.length] ?? "";
    for (const [at, relative] of relativesOf(family).entries()) {
      if (all.length === LIST_ROWS) break;
      const place = all.length;
      const names = relative.isMan ? men : women;
      const first = names[(family * 3 + at * 7) % names.length] ?? "";
      const second = place % 4 === 0 ? `${names[(place * 5 + 1) % names.length]} ` : "";
      const row = new Map<string, string>([
        ["Nº", String(place + 1)],
        ["Nome completo", `${first} ${second}${surname}`],
        ["Sexo", relative.isMan ? "M" : "F"],
        ["Nascimento", birthOf(relative.born, place)],
        ["Estado civil", maritalOf(relative, place)],
        ["Situação", statusOf(relative, place)],
        ["Celular", relative.isMarried ? phoneOf(place) : ""],
        ["E-mail", place % 3 === 0 ? `ficha${place + 1}@igreja.example` : "não tem"],
        ["Batizado", place % 2 === 0 ? "Sim" : "Não"],
        ["Família", surname.replace(/^d[aeo]s? /, "")],
        ["Cód. família", String(family + 1)],
        ["Parentesco", relative.kinship],
        ["Rua", streets[family % streets.length] ?? ""],
        ["Número", String(10 + family * 3)],
        ["Bairro", districts[family % districts.length] ?? ""],
        ["Cidade", "Campinas"],
        ["Ministério", ministries[place % ministries.length] ?? ""],
      ]);
      const [column, cell] = wrong[place + 2] ?? [];
      if (column !== undefined) row.set(column, cell ?? "");
      all.push(headers.map((header) => row.get(header) ?? ""));
    }
  }
  return all;
}

/** The file as Excel in Brazil saves it. */
export const churchList = (): Uint8Array =>
  Buffer.from([headers, ...rows()].map((row) => row.map(quoted).join(";")).join("\r\n"), "latin1");

const quoted = (cell: string) => (cell.includes(";") ? `"${cell}"` : cell);
