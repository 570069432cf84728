import type { AdministrativeStatus } from "../../access/actor.ts";

/** An invented person. The e-mail addresses end in `.example`, where no mail arrives. */
export interface DemoPerson {
  name: string;
  sex: "female" | "male";
  /** Without the year if only the day is known. */
  born: string;
  status: "prospect" | "visitor" | "attender" | "member" | "former-member";
  /** Children and strangers have none. */
  email?: string;
  phone?: string;
  administrativeStatus?: AdministrativeStatus;
  more?: Record<string, unknown>;
  custom?: Record<string, unknown>;
}

const parish = (local: string) => `${local}@grace.example`;

const lisbon = (street: string, number: string) => ({
  street,
  number,
  "city": "Lisboa",
  "postal-code": "1100-148",
  "country": "PT",
});

const married = (date: string) => ({ marital_status: "married", wedding_date: date });
const member = (since: string, how = "baptism") => ({
  member_since: since,
  admission_method: how,
  is_baptized: true,
});

// biome-ignore format: one person a line reads like a list of people
export const people: readonly DemoPerson[] = [
  { name: "Ana Beatriz Oliveira", sex: "female", born: "1978-03-14", status: "member", email: parish("ana.oliveira"), phone: "+351910000001", administrativeStatus: "full-administrator", more: { preferred_name: "Bia", occupation: "Teacher", locale: "pt-PT", address: lisbon("Rua das Flores", "12"), ...married("2003-06-21"), ...member("1999-04-04") }, custom: { "shirt-size": "m", "serves-in": ["music", "welcome"] } },
  { name: "João Pedro Oliveira", sex: "male", born: "1976-11-02", status: "member", email: parish("joao.oliveira"), phone: "+351910000002", administrativeStatus: "administrator", more: { occupation: "Carpenter", locale: "pt-PT", address: lisbon("Rua das Flores", "12"), ...married("2003-06-21"), ...member("1999-04-04") }, custom: { "shirt-size": "l", "serves-in": ["building"] } },
  { name: "Inês Oliveira", sex: "female", born: "2012-08-30", status: "attender", more: { locale: "pt-PT" }, custom: { "allergies": "Peanuts" } },
  { name: "Tomás Oliveira", sex: "male", born: "2015-01-19", status: "attender" },
  { name: "Lukas Weber", sex: "male", born: "1991-05-09", status: "member", email: parish("lukas.weber"), phone: "+4915100000003", more: { occupation: "Nurse", locale: "de-DE", nationality: "DE", ...member("2019-09-15", "transfer"), previous_church: "Christuskirche Köln" }, custom: { "shirt-size": "m", "serves-in": ["children"], "newcomers-lunch": true } },
  { name: "Jürgen Schröder", sex: "male", born: "1954-12-24", status: "member", email: parish("juergen.schroeder"), phone: "+4915100000004", more: { occupation: "Retired engineer", locale: "de-DE", ...married("1980-05-17"), ...member("2005-02-06", "transfer") }, custom: { "shirt-size": "xl", "serves-in": ["building", "prayer"] } },
  { name: "Käthe Schröder", sex: "female", born: "1957-07-01", status: "member", email: parish("kaethe.schroeder"), more: { locale: "de-DE", former_name: "Käthe Böhm", ...married("1980-05-17"), ...member("2005-02-06", "transfer") }, custom: { "serves-in": ["prayer"] } },
  { name: "María José García Núñez", sex: "female", born: "1985-10-12", status: "member", email: parish("maria.garcia"), phone: "+34600000005", more: { preferred_name: "Majo", occupation: "Architect", locale: "es-ES", nationality: "ES", ...married("2011-09-03"), ...member("2014-11-23", "profession") }, custom: { "shirt-size": "s", "serves-in": ["music"] } },
  { name: "Íñigo Núñez Peña", sex: "male", born: "1983-02-27", status: "member", email: parish("inigo.nunez"), phone: "+34600000006", more: { occupation: "Chef", locale: "es-ES", ...married("2011-09-03"), ...member("2014-11-23", "profession") }, custom: { "shirt-size": "l", "serves-in": ["welcome"] } },
  { name: "Lucía Núñez García", sex: "female", born: "2014-04-08", status: "attender", custom: { "allergies": "Lactose" } },
  { name: "Mateo Núñez García", sex: "male", born: "2017-09-26", status: "attender" },
  { name: "Grace O'Connor", sex: "female", born: "1969-01-06", status: "member", email: parish("grace.oconnor"), phone: "+447700900007", more: { occupation: "Translator", locale: "en-IE", nationality: "IE", ...member("2010-03-28", "transfer") }, custom: { "shirt-size": "s", "serves-in": ["prayer", "welcome"] } },
  { name: "Samuel Adeyemi", sex: "male", born: "1988-06-17", status: "member", email: parish("samuel.adeyemi"), phone: "+447700900008", more: { occupation: "Software developer", locale: "en-GB", nationality: "NG", ...married("2016-08-20"), ...member("2017-01-15", "transfer") }, custom: { "shirt-size": "xl", "serves-in": ["music"] } },
  { name: "Folake Adeyemi", sex: "female", born: "1990-03-03", status: "member", email: parish("folake.adeyemi"), phone: "+447700900009", more: { occupation: "Physician", locale: "en-GB", nationality: "NG", ...married("2016-08-20"), ...member("2017-01-15", "transfer") }, custom: { "shirt-size": "m", "serves-in": ["children"] } },
  { name: "Tobi Adeyemi", sex: "male", born: "2019-12-11", status: "attender", custom: { "allergies": "Bee stings" } },
  { name: "Conceição Ferreira", sex: "female", born: "1948-12-08", status: "member", phone: "+351210000010", more: { preferred_name: "São", marital_status: "widowed", locale: "pt-PT", ...member("1972-05-14"), medical_notes: "Needs a seat near the door." }, custom: { "serves-in": ["prayer"] } },
  { name: "António Ferreira", sex: "male", born: "1971-06-13", status: "member", email: parish("antonio.ferreira"), phone: "+351910000011", more: { occupation: "Bus driver", locale: "pt-PT", marital_status: "divorced", ...member("1990-07-08") }, custom: { "shirt-size": "l" } },
  { name: "Beatriz Ferreira", sex: "female", born: "2001-02-14", status: "member", email: parish("beatriz.ferreira"), phone: "+351910000012", more: { occupation: "Student", locale: "pt-PT", marital_status: "single", ...member("2018-03-25") }, custom: { "shirt-size": "s", "serves-in": ["music", "children"] } },
  { name: "Zoë Müller-Santos", sex: "female", born: "1994-09-21", status: "member", email: parish("zoe.mueller"), phone: "+351910000013", more: { occupation: "Graphic designer", locale: "de-DE", marital_status: "engaged", ...member("2022-06-05", "profession") }, custom: { "shirt-size": "s", "serves-in": ["welcome"] } },
  { name: "Rui Santos", sex: "male", born: "1993-04-25", status: "attender", email: parish("rui.santos"), phone: "+351910000014", more: { occupation: "Electrician", locale: "pt-PT", marital_status: "engaged", is_baptized: false } },
  { name: "Thomas Ashworth", sex: "male", born: "1962-10-31", status: "member", email: parish("thomas.ashworth"), phone: "+447700900015", more: { occupation: "Pastor", locale: "en-GB", ...married("1988-07-30"), ...member("2008-01-06", "transfer") }, custom: { "shirt-size": "l" } },
  { name: "Eleanor Ashworth", sex: "female", born: "1964-04-22", status: "member", email: parish("eleanor.ashworth"), phone: "+447700900016", more: { occupation: "Counsellor", locale: "en-GB", ...married("1988-07-30"), ...member("2008-01-06", "transfer") }, custom: { "serves-in": ["prayer"] } },
  { name: "Björn Lindqvist", sex: "male", born: "1980-08-08", status: "attender", email: parish("bjorn.lindqvist"), phone: "+46700000017", more: { occupation: "Ship's engineer", locale: "en-GB", nationality: "SE" } },
  { name: "Sofía Ibáñez", sex: "female", born: "1998-05-15", status: "member", email: parish("sofia.ibanez"), phone: "+34600000018", more: { occupation: "Physiotherapist", locale: "es-ES", marital_status: "single", ...member("2021-10-10") }, custom: { "shirt-size": "m", "serves-in": ["children", "music"] } },
  { name: "Andrés Ibáñez", sex: "male", born: "1996-07-25", status: "attender", email: parish("andres.ibanez"), more: { locale: "es-ES" } },
  { name: "Miguel Ângelo Carvalho", sex: "male", born: "1973-09-29", status: "member", email: parish("miguel.carvalho"), phone: "+351910000019", more: { occupation: "Accountant", locale: "pt-PT", ...married("1999-05-01"), ...member("1996-12-01") }, custom: { "shirt-size": "xl", "serves-in": ["welcome"] } },
  { name: "Graça Carvalho", sex: "female", born: "1975-05-13", status: "member", email: parish("graca.carvalho"), phone: "+351910000020", more: { occupation: "Pharmacist", locale: "pt-PT", ...married("1999-05-01"), ...member("1996-12-01") }, custom: { "shirt-size": "m", "serves-in": ["prayer"] } },
  { name: "Simão Carvalho", sex: "male", born: "2004-10-28", status: "member", email: parish("simao.carvalho"), phone: "+351910000021", more: { occupation: "Student", locale: "pt-PT", ...member("2021-04-04") }, custom: { "shirt-size": "l", "serves-in": ["music", "building"] } },
  { name: "Marta Carvalho", sex: "female", born: "2008-03-08", status: "attender", email: parish("marta.carvalho"), custom: { "shirt-size": "s" } },
  { name: "Priya Nair", sex: "female", born: "1992-11-11", status: "attender", email: parish("priya.nair"), phone: "+447700900022", more: { occupation: "Researcher", locale: "en-GB", nationality: "IN" }, custom: { "newcomers-lunch": true } },
  { name: "Daniel Kowalczyk", sex: "male", born: "1987-01-30", status: "member", email: parish("daniel.kowalczyk"), more: { occupation: "Plumber", locale: "en-GB", nationality: "PL", ...member("2020-02-16", "profession") }, custom: { "serves-in": ["building"] } },
  { name: "Heike Großmann", sex: "female", born: "1966-06-06", status: "member", email: parish("heike.grossmann"), phone: "+4915100000023", more: { occupation: "Bookseller", locale: "de-DE", marital_status: "separated", ...member("2012-09-09", "restoration") }, custom: { "serves-in": ["welcome"] } },
  { name: "Niklas Großmann", sex: "male", born: "1999-12-31", status: "former-member", email: parish("niklas.grossmann"), more: { locale: "de-DE", left_at: "2023-08-31", left_reason: "Moved to Leipzig." } },
  { name: "Raquel Monteiro", sex: "female", born: "1982-02-02", status: "member", email: parish("raquel.monteiro"), phone: "+351910000024", more: { occupation: "Lawyer", locale: "pt-PT", marital_status: "single", ...member("2009-06-14") }, custom: { "shirt-size": "m" } },
  { name: "Davi Monteiro", sex: "male", born: "2013-07-07", status: "attender", custom: { "allergies": "None known" } },
  { name: "Esther Monteiro", sex: "female", born: "2016-10-01", status: "attender" },
  { name: "Paulo Sérgio Araújo", sex: "male", born: "1959-08-15", status: "member", phone: "+351910000025", more: { occupation: "Fisherman", locale: "pt-PT", ...married("1984-02-18"), ...member("1985-09-22") } },
  { name: "Lurdes Araújo", sex: "female", born: "1961-11-27", status: "member", email: parish("lurdes.araujo"), more: { locale: "pt-PT", ...married("1984-02-18"), ...member("1985-09-22") }, custom: { "serves-in": ["prayer", "children"] } },
  { name: "Nuno Araújo", sex: "male", born: "1989-04-11", status: "attender", email: parish("nuno.araujo"), phone: "+351910000026", more: { occupation: "Photographer", locale: "pt-PT" } },
  { name: "Ximena Peñalver", sex: "female", born: "2000-01-17", status: "visitor", email: "ximena@students.example", more: { locale: "es-ES", occupation: "Student" }, custom: { "newcomers-lunch": true } },
  { name: "Emma Clarke", sex: "female", born: "1995-03-19", status: "visitor", email: "emma.clarke@mail.example", phone: "+447700900027" },
  { name: "Oliver Clarke", sex: "male", born: "1994-12-05", status: "visitor", email: "oliver.clarke@mail.example" },
  { name: "Vítor Hugo Nogueira", sex: "male", born: "1984-05-28", status: "visitor", phone: "+351910000028", custom: { "newcomers-lunch": true } },
  { name: "Núria Puig i Vidal", sex: "female", born: "1979-04-23", status: "attender", email: parish("nuria.puig"), more: { occupation: "Violinist", locale: "es-ES" }, custom: { "serves-in": ["music"] } },
  { name: "Françoise Lefèvre", sex: "female", born: "1951-07-14", status: "attender", email: parish("francoise.lefevre"), more: { locale: "en-GB", nationality: "FR" } },
  { name: "Matthias Jäger", sex: "male", born: "1977-11-11", status: "attender", email: parish("matthias.jaeger"), phone: "+4915100000029", more: { occupation: "Winemaker", locale: "de-DE" } },
  { name: "Carolina Brandão", sex: "female", born: "1996-08-24", status: "member", email: parish("carolina.brandao"), phone: "+351910000030", more: { occupation: "Social worker", locale: "pt-BR", nationality: "BR", ...member("2023-04-09") }, custom: { "shirt-size": "s", "serves-in": ["children", "welcome"] } },
  { name: "Felipe Brandão", sex: "male", born: "1995-02-10", status: "member", email: parish("felipe.brandao"), phone: "+351910000031", more: { occupation: "Barista", locale: "pt-BR", nationality: "BR", ...member("2023-04-09") }, custom: { "shirt-size": "m", "serves-in": ["music"] } },
  { name: "Ruth Cohen-Almeida", sex: "female", born: "1986-09-18", status: "member", email: parish("ruth.almeida"), more: { occupation: "Midwife", locale: "en-GB", ...member("2015-05-24", "transfer") } },
  { name: "Gonçalo Almeida", sex: "male", born: "1985-12-01", status: "member", email: parish("goncalo.almeida"), phone: "+351910000032", more: { occupation: "Firefighter", locale: "pt-PT", ...member("2015-05-24", "transfer") }, custom: { "shirt-size": "xl", "serves-in": ["building"] } },
  { name: "Benjamim Almeida", sex: "male", born: "2018-06-02", status: "attender" },
  { name: "Yara Quintão", sex: "female", born: "1997-10-20", status: "attender", email: parish("yara.quintao"), more: { locale: "pt-BR" } },
  { name: "Otto Baumgärtner", sex: "male", born: "05-23", status: "attender", phone: "+4915100000033", more: { locale: "de-DE" } },
  { name: "Lena Vogel", sex: "female", born: "2003-03-29", status: "member", email: parish("lena.vogel"), more: { occupation: "Student", locale: "de-DE", ...member("2022-11-27", "transfer") }, custom: { "serves-in": ["children"] } },
  { name: "Hannah Whitfield", sex: "female", born: "1974-08-03", status: "member", email: parish("hannah.whitfield"), phone: "+447700900034", more: { occupation: "Bookkeeper", locale: "en-GB", ...member("2016-02-21", "transfer") }, custom: { "serves-in": ["welcome"] } },
  { name: "Ezequiel Domínguez", sex: "male", born: "1990-12-25", status: "prospect", email: "ezequiel@mail.example", phone: "+34600000035" },
  { name: "Pilar Domínguez", sex: "female", born: "10-12", status: "prospect", email: "pilar@mail.example" },
  { name: "Ivo Teixeira", sex: "male", born: "1968-02-29", status: "prospect", phone: "+351910000036" },
  { name: "Catarina Teixeira", sex: "female", born: "1970-11-25", status: "attender", email: parish("catarina.teixeira"), phone: "+351910000037", more: { occupation: "Librarian", locale: "pt-PT" } },
  { name: "Álvaro Gusmão", sex: "male", born: "1943-06-24", status: "member", more: { marital_status: "widowed", locale: "pt-PT", ...member("1965-04-18"), emergency_contact: { name: "Graça Carvalho", phone: "+351910000020", relationship: "Niece" } } },
];
