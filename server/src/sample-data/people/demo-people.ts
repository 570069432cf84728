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
  { name: "Tiago Lopes", sex: "male", born: "1986-01-25", status: "member", email: parish("tiago.lopes"), phone: "+351910000038", more: { occupation: "Electrician", locale: "pt-PT", ...married("2012-09-15"), ...member("2010-04-04") }, custom: { "shirt-size": "l", "serves-in": ["building"] } },
  { name: "Marta Lopes", sex: "female", born: "1988-07-29", status: "member", email: parish("marta.lopes"), phone: "+351910000039", more: { occupation: "Accountant", locale: "pt-PT", ...married("2012-09-15"), ...member("2011-06-12") }, custom: { "serves-in": ["children"] } },
  { name: "Leonor Lopes", sex: "female", born: "2015-05-10", status: "attender" },
  { name: "Duarte Lopes", sex: "male", born: "2018-11-03", status: "attender", custom: { "allergies": "Cow's milk" } },
  { name: "Henrique Pereira", sex: "male", born: "1979-02-18", status: "member", email: parish("henrique.pereira"), phone: "+351910000040", more: { occupation: "Tram driver", locale: "pt-PT", ...married("2005-05-28"), ...member("2003-03-30") }, custom: { "shirt-size": "xl" } },
  { name: "Sónia Pereira", sex: "female", born: "1981-10-07", status: "member", email: parish("sonia.pereira"), phone: "+351910000041", more: { occupation: "Nurse", locale: "pt-PT", ...married("2005-05-28"), ...member("2004-11-14") }, custom: { "shirt-size": "m", "serves-in": ["welcome"] } },
  { name: "Rita Pereira", sex: "female", born: "2009-12-12", status: "attender", email: parish("rita.pereira") },
  { name: "Afonso Pereira", sex: "male", born: "2012-03-21", status: "attender" },
  { name: "Isabel Fonseca", sex: "female", born: "1955-09-09", status: "member", email: parish("isabel.fonseca"), phone: "+351210000042", more: { occupation: "Retired teacher", locale: "pt-PT", ...married("1978-08-05"), ...member("1982-05-30") }, custom: { "serves-in": ["prayer"] } },
  { name: "Joaquim Fonseca", sex: "male", born: "1952-04-30", status: "member", phone: "+351210000042", more: { occupation: "Retired postman", locale: "pt-PT", ...married("1978-08-05"), ...member("1982-05-30") } },
  { name: "Cláudia Nunes", sex: "female", born: "1990-06-24", status: "member", email: parish("claudia.nunes"), phone: "+351910000043", more: { occupation: "Dentist", locale: "pt-PT", ...married("2018-04-21"), ...member("2016-10-16") }, custom: { "shirt-size": "s", "serves-in": ["children"] } },
  { name: "Bruno Nunes", sex: "male", born: "1989-08-17", status: "attender", email: parish("bruno.nunes"), phone: "+351910000044", more: { occupation: "Football coach", locale: "pt-PT", ...married("2018-04-21") } },
  { name: "Alice Nunes", sex: "female", born: "2021-02-05", status: "attender" },
  { name: "Chidi Okafor", sex: "male", born: "1984-11-20", status: "member", email: parish("chidi.okafor"), phone: "+447700900045", more: { occupation: "Lecturer", locale: "en-GB", nationality: "NG", ...married("2011-12-10"), ...member("2018-09-23", "transfer") }, custom: { "shirt-size": "l", "serves-in": ["music"] } },
  { name: "Ngozi Okafor", sex: "female", born: "1986-03-15", status: "member", email: parish("ngozi.okafor"), phone: "+447700900046", more: { occupation: "Biologist", locale: "en-GB", nationality: "NG", ...married("2011-12-10"), ...member("2018-09-23", "transfer") }, custom: { "serves-in": ["welcome"] } },
  { name: "Amara Okafor", sex: "female", born: "2014-07-16", status: "attender" },
  { name: "Kelechi Okafor", sex: "male", born: "2017-01-08", status: "attender", custom: { "allergies": "Penicillin" } },
  { name: "Owen Hughes", sex: "male", born: "1971-05-02", status: "member", email: parish("owen.hughes"), phone: "+447700900047", more: { occupation: "Vet", locale: "en-GB", ...married("1998-07-11"), ...member("2013-02-17", "transfer") }, custom: { "shirt-size": "l" } },
  { name: "Siân Hughes", sex: "female", born: "1973-03-01", status: "member", email: parish("sian.hughes"), phone: "+447700900048", more: { occupation: "Potter", locale: "en-GB", ...married("1998-07-11"), ...member("2013-02-17", "transfer") }, custom: { "serves-in": ["prayer"] } },
  { name: "Bethan Hughes", sex: "female", born: "2010-10-19", status: "attender" },
  { name: "Tobias Becker", sex: "male", born: "1987-12-06", status: "member", email: parish("tobias.becker"), phone: "+4915100000049", more: { occupation: "Baker", locale: "de-DE", nationality: "DE", ...married("2017-06-03"), ...member("2021-05-23", "transfer") }, custom: { "shirt-size": "m", "serves-in": ["welcome"] } },
  { name: "Miriam Becker", sex: "female", born: "1989-09-14", status: "member", email: parish("miriam.becker"), phone: "+4915100000050", more: { occupation: "Translator", locale: "de-DE", nationality: "DE", ...married("2017-06-03"), ...member("2021-05-23", "transfer") }, custom: { "serves-in": ["children"] } },
  { name: "Jonas Becker", sex: "male", born: "2019-04-27", status: "attender" },
  { name: "Ramón Torres", sex: "male", born: "1960-08-31", status: "member", email: parish("ramon.torres"), phone: "+34600000051", more: { occupation: "Bookbinder", locale: "es-ES", ...married("1989-10-14"), ...member("2006-01-15", "transfer") } },
  { name: "Elena Torres", sex: "female", born: "1963-02-20", status: "member", email: parish("elena.torres"), phone: "+34600000052", more: { occupation: "Seamstress", locale: "es-ES", ...married("1989-10-14"), ...member("2006-01-15", "transfer") }, custom: { "serves-in": ["prayer"] } },
  { name: "Noemí Gil", sex: "female", born: "1988-05-05", status: "attender", email: parish("noemi.gil"), phone: "+34600000053", more: { occupation: "Web designer", locale: "es-ES" } },
  { name: "Alba Navarro", sex: "female", born: "1999-09-30", status: "member", email: parish("alba.navarro"), phone: "+34600000054", more: { occupation: "Student", locale: "es-ES", ...member("2024-03-31") }, custom: { "shirt-size": "s", "serves-in": ["music"] } },
  { name: "Héctor Navarro", sex: "male", born: "2001-06-11", status: "attender", email: parish("hector.navarro"), more: { occupation: "Student", locale: "es-ES" } },
  { name: "Helena Matos", sex: "female", born: "1993-01-13", status: "member", email: parish("helena.matos"), phone: "+351910000055", more: { occupation: "Journalist", locale: "pt-PT", ...married("2020-09-12"), ...member("2019-04-21") }, custom: { "shirt-size": "m", "serves-in": ["welcome"] } },
  { name: "Vasco Matos", sex: "male", born: "1992-10-26", status: "member", email: parish("vasco.matos"), phone: "+351910000056", more: { occupation: "Joiner", locale: "pt-PT", ...married("2020-09-12"), ...member("2019-04-21") }, custom: { "shirt-size": "l", "serves-in": ["building"] } },
  { name: "Dulce da Silva", sex: "female", born: "1946-02-03", status: "member", phone: "+351210000057", more: { marital_status: "widowed", locale: "pt-PT", ...member("1970-03-29") }, custom: { "serves-in": ["prayer"] } },
  { name: "Teresa Correia", sex: "female", born: "1968-07-19", status: "member", email: parish("teresa.correia"), phone: "+351910000058", more: { occupation: "Cook", locale: "pt-PT", marital_status: "divorced", ...member("2001-12-09") }, custom: { "shirt-size": "m" } },
  { name: "Susana Reis", sex: "female", born: "1977-11-28", status: "attender", email: parish("susana.reis"), phone: "+351910000059", more: { occupation: "Optician", locale: "pt-PT" } },
  { name: "Fernanda Lima", sex: "female", born: "1991-04-02", status: "member", email: parish("fernanda.lima"), phone: "+351910000060", more: { occupation: "Hairdresser", locale: "pt-BR", nationality: "BR", ...married("2015-11-07"), ...member("2022-04-17", "transfer") }, custom: { "serves-in": ["music"] } },
  { name: "Caio Lima", sex: "male", born: "1990-12-18", status: "member", email: parish("caio.lima"), phone: "+351910000061", more: { occupation: "Courier", locale: "pt-BR", nationality: "BR", ...married("2015-11-07"), ...member("2022-04-17", "transfer") }, custom: { "shirt-size": "m" } },
  { name: "Ricardo Tavares", sex: "male", born: "1983-03-09", status: "member", email: parish("ricardo.tavares"), phone: "+351910000062", more: { occupation: "Surveyor", locale: "pt-PT", ...married("2010-07-24"), ...member("2008-05-11") }, custom: { "shirt-size": "l", "serves-in": ["children"] } },
  { name: "Sara Tavares", sex: "female", born: "1985-09-01", status: "member", email: parish("sara.tavares"), phone: "+351910000063", more: { occupation: "Speech therapist", locale: "pt-PT", ...married("2010-07-24"), ...member("2008-05-11") }, custom: { "serves-in": ["children"] } },
  { name: "Francisco Tavares", sex: "male", born: "2016-06-15", status: "attender" },
  { name: "Jorge Cruz", sex: "male", born: "1998-08-08", status: "member", email: parish("jorge.cruz"), phone: "+351910000064", more: { occupation: "Barber", locale: "pt-PT", ...member("2023-11-26") }, custom: { "shirt-size": "m" } },
  { name: "Patrícia Freitas", sex: "female", born: "2002-05-20", status: "attender", email: parish("patricia.freitas"), phone: "+351910000065", more: { occupation: "Student", locale: "pt-PT" } },
  { name: "Diogo Moura", sex: "male", born: "2003-01-31", status: "member", email: parish("diogo.moura"), phone: "+351910000066", more: { occupation: "Student", locale: "pt-PT", ...member("2021-04-04") }, custom: { "shirt-size": "l", "serves-in": ["music"] } },
  { name: "Laura Pinto", sex: "female", born: "2005-12-02", status: "attender", email: parish("laura.pinto"), more: { occupation: "Student", locale: "pt-PT" } },
  { name: "Arjun Singh", sex: "male", born: "1995-07-07", status: "member", email: parish("arjun.singh"), phone: "+447700900067", more: { occupation: "Data analyst", locale: "en-GB", nationality: "GB", ...member("2024-05-19") }, custom: { "shirt-size": "m", "serves-in": ["welcome"] } },
  { name: "Charlotte Walker", sex: "female", born: "1997-11-15", status: "member", email: parish("charlotte.walker"), phone: "+447700900068", more: { occupation: "Illustrator", locale: "en-GB", ...member("2022-10-09", "transfer") }, custom: { "shirt-size": "s" } },
  { name: "Hugo Bastos", sex: "male", born: "1994-02-22", status: "visitor", phone: "+351910000069" },
  { name: "Vera Antunes", sex: "female", born: "1990-10-10", status: "visitor", email: "vera.antunes@mail.example", custom: { "newcomers-lunch": true } },
  { name: "Luís Barreto", sex: "male", born: "1972-12-27", status: "visitor", phone: "+351910000070" },
];
