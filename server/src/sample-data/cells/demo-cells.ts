import type { Frequency } from "../../features/cells/meetings/dates.ts";
import type { CellRole } from "../../features/cells/memberships/roles.ts";

/** The cells of the demo church. People are named as in the feature `people`. Days are counted back from today. */
export interface DemoCell {
  name: string;
  /** The supervision above. It is listed before. */
  parent?: string;
  /** A supervision has a level and no meetings. */
  level?: number;
  weekday?: number;
  /** Minutes since midnight. */
  startsAt?: number;
  frequency?: Frequency;
  address?: readonly [neighborhood: string, street: string, number: string];
  at?: readonly [latitude: number, longitude: number];
  category?: string;
  genderCategory?: string;
  isPublic?: boolean;
  people: Readonly<Partial<Record<CellRole, readonly string[]>>>;
  /** The first visits of people who are no longer visitors, who became participants four weeks later. */
  firstVisits?: Readonly<Record<string, number>>;
  /** Past memberships. */
  left?: readonly { person: string; daysAgo: number; reason: string }[];
  /** The number of meetings, the latest ones, that were not reported. */
  unreported?: number;
  /** The cell also met yesterday, so that a report is due on the day of the first start. */
  metYesterday?: true;
  /** People who missed the last three meetings. */
  missing?: readonly string[];
  closed?: { daysAgo: number; reason: string; movedTo: string };
}

const at = (hour: number, minute = 0) => hour * 60 + minute;
const [sunday, monday, tuesday, wednesday, thursday, friday, saturday] = [0, 1, 2, 3, 4, 5, 6];

export const cells: readonly DemoCell[] = [
  {
    name: "Grace Lisbon",
    level: 2,
    people: { leader: ["Thomas Ashworth"], "co-leader": ["Eleanor Ashworth"] },
  },
  { name: "Centro", parent: "Grace Lisbon", level: 1, people: { leader: ["Raquel Monteiro"] } },
  {
    name: "Ocidental",
    parent: "Grace Lisbon",
    level: 1,
    people: { leader: ["Miguel Ângelo Carvalho"] },
  },
  { name: "Línguas", parent: "Grace Lisbon", level: 1, people: { leader: ["Samuel Adeyemi"] } },
  { name: "Gerações", parent: "Grace Lisbon", level: 1, people: { leader: ["Grace O'Connor"] } },
  {
    name: "Alfama",
    parent: "Centro",
    weekday: wednesday,
    startsAt: at(20, 30),
    address: ["Alfama", "Rua dos Remédios", "29"],
    at: [38.7118, -9.13],
    isPublic: true,
    people: {
      leader: ["Gonçalo Almeida"],
      "co-leader": ["Ruth Cohen-Almeida"],
      trainee: ["Helena Matos"],
      host: ["Conceição Ferreira"],
      participant: [
        "Ana Beatriz Oliveira",
        "João Pedro Oliveira",
        "Lukas Weber",
        "Otto Baumgärtner",
        "Vasco Matos",
        "Dulce da Silva",
        "Teresa Correia",
        "Isabel Fonseca",
        "Joaquim Fonseca",
      ],
      visitor: ["Hugo Bastos"],
    },
    firstVisits: { "Otto Baumgärtner": 250 },
    metYesterday: true,
    unreported: 1,
    missing: ["Lukas Weber"],
  },
  {
    name: "Graça",
    parent: "Centro",
    weekday: thursday,
    startsAt: at(21),
    address: ["Graça", "Travessa das Mónicas", "14"],
    people: {
      leader: ["Henrique Pereira"],
      "co-leader": ["Sónia Pereira"],
      host: ["Álvaro Gusmão"],
      participant: ["António Ferreira", "Susana Reis", "Catarina Teixeira", "Nuno Araújo"],
    },
    firstVisits: { "Susana Reis": 190 },
    unreported: 2,
  },
  {
    name: "Mouraria",
    parent: "Centro",
    weekday: tuesday,
    startsAt: at(19),
    address: ["Mouraria", "Rua do Benformoso", "112"],
    people: {
      leader: ["Teresa Correia"],
      participant: ["Isabel Fonseca", "Joaquim Fonseca"],
    },
    closed: { daysAgo: 100, reason: "Only three people were left", movedTo: "Alfama" },
  },
  {
    name: "Campo de Ourique",
    parent: "Ocidental",
    weekday: tuesday,
    startsAt: at(20),
    address: ["Campo de Ourique", "Rua Saraiva de Carvalho", "210"],
    at: [38.718, -9.165],
    isPublic: true,
    people: {
      leader: ["Graça Carvalho"],
      trainee: ["Daniel Kowalczyk"],
      host: ["Björn Lindqvist"],
      participant: ["Priya Nair", "Folake Adeyemi"],
      visitor: ["Emma Clarke", "Oliver Clarke"],
    },
    firstVisits: { "Priya Nair": 310 },
  },
  {
    name: "Belém",
    parent: "Ocidental",
    weekday: wednesday,
    startsAt: at(20),
    address: ["Belém", "Rua de Belém", "88"],
    people: {
      leader: ["Paulo Sérgio Araújo"],
      host: ["Lurdes Araújo"],
      participant: ["Felipe Brandão", "Carolina Brandão"],
      visitor: ["Luís Barreto"],
    },
    unreported: 2,
  },
  {
    name: "Alcântara",
    parent: "Ocidental",
    weekday: friday,
    startsAt: at(20, 30),
    address: ["Alcântara", "Rua Prior do Crato", "51"],
    people: {
      leader: ["Tiago Lopes"],
      "co-leader": ["Marta Lopes"],
      participant: ["Caio Lima", "Fernanda Lima", "Yara Quintão", "Rui Santos"],
      visitor: ["Vítor Hugo Nogueira"],
    },
    firstVisits: { "Yara Quintão": 150 },
    unreported: 3,
  },
  {
    name: "Deutschsprachiger Hauskreis",
    parent: "Línguas",
    weekday: monday,
    startsAt: at(19, 30),
    address: ["Bairro Alto", "Rua do Século", "5"],
    category: "Deutsch",
    people: {
      leader: ["Jürgen Schröder"],
      host: ["Käthe Schröder"],
      participant: [
        "Heike Großmann",
        "Matthias Jäger",
        "Zoë Müller-Santos",
        "Tobias Becker",
        "Miriam Becker",
      ],
    },
    left: [{ person: "Niklas Großmann", daysAgo: 200, reason: "left-church" }],
    missing: ["Tobias Becker", "Miriam Becker"],
  },
  {
    name: "English House Group",
    parent: "Línguas",
    weekday: thursday,
    startsAt: at(20),
    address: ["Arroios", "Rua de Arroios", "73"],
    at: [38.733, -9.135],
    category: "English",
    isPublic: true,
    people: {
      leader: ["Chidi Okafor"],
      "co-leader": ["Ngozi Okafor"],
      trainee: ["Arjun Singh"],
      host: ["Owen Hughes"],
      participant: ["Siân Hughes", "Charlotte Walker", "Françoise Lefèvre"],
    },
    firstVisits: { "Françoise Lefèvre": 220 },
  },
  {
    name: "Grupo Hispano",
    parent: "Línguas",
    weekday: tuesday,
    startsAt: at(20),
    address: ["Martim Moniz", "Rua da Palma", "160"],
    category: "Español",
    people: {
      leader: ["María José García Núñez"],
      host: ["Íñigo Núñez Peña"],
      participant: [
        "Ramón Torres",
        "Elena Torres",
        "Andrés Ibáñez",
        "Núria Puig i Vidal",
        "Noemí Gil",
      ],
    },
    firstVisits: { "Noemí Gil": 120 },
  },
  {
    name: "Jovens do Castelo",
    parent: "Gerações",
    weekday: saturday,
    startsAt: at(17),
    address: ["Castelo", "Rua da Costa do Castelo", "7"],
    at: [38.7139, -9.1334],
    genderCategory: "youth",
    isPublic: true,
    people: {
      leader: ["Beatriz Ferreira"],
      "co-leader": ["Simão Carvalho"],
      trainee: ["Diogo Moura"],
      participant: [
        "Lena Vogel",
        "Sofía Ibáñez",
        "Marta Carvalho",
        "Patrícia Freitas",
        "Laura Pinto",
        "Jorge Cruz",
        "Alba Navarro",
        "Héctor Navarro",
      ],
      visitor: ["Ximena Peñalver"],
    },
    firstVisits: { "Laura Pinto": 170, "Héctor Navarro": 90 },
  },
  {
    name: "Famílias de Benfica",
    parent: "Gerações",
    weekday: sunday,
    startsAt: at(16),
    frequency: "fortnightly",
    address: ["Benfica", "Avenida do Uruguai", "33"],
    genderCategory: "couples",
    people: {
      leader: ["Ricardo Tavares"],
      "co-leader": ["Sara Tavares"],
      participant: ["Cláudia Nunes", "Bruno Nunes"],
      visitor: ["Vera Antunes"],
    },
    firstVisits: { "Bruno Nunes": 280 },
  },
  {
    name: "Mulheres ao meio-dia",
    parent: "Gerações",
    weekday: wednesday,
    startsAt: at(12, 30),
    address: ["Baixa", "Rua da Madalena", "48"],
    genderCategory: "women",
    people: {
      leader: ["Hannah Whitfield"],
      participant: [
        "Lurdes Araújo",
        "Käthe Schröder",
        "Conceição Ferreira",
        "Grace O'Connor",
        "Eleanor Ashworth",
      ],
    },
  },
];

interface DemoRequest {
  cell: string;
  person?: string;
  contact?: Readonly<Record<string, string>>;
  message: string;
  source: "staff" | "public";
  status: "pending" | "declined";
  declineReason?: string;
  daysAgo: number;
}

export const requests: readonly DemoRequest[] = [
  {
    cell: "Alfama",
    contact: {
      "full-name": "Mafalda Serrão",
      "email": "mafalda@mail.example",
      "phone": "+351910000080",
    },
    message: "I moved to Alfama in spring. May I come on Wednesday?",
    source: "public",
    status: "pending",
    daysAgo: 2,
  },
  {
    cell: "Jovens do Castelo",
    contact: { "full-name": "Tomé Vidigal", "phone": "+351910000081" },
    message: "My sister told me about you.",
    source: "public",
    status: "pending",
    daysAgo: 5,
  },
  {
    cell: "Grupo Hispano",
    person: "Ezequiel Domínguez",
    message: "He asked after the service.",
    source: "staff",
    status: "pending",
    daysAgo: 1,
  },
  {
    cell: "Mouraria",
    contact: { "full-name": "Leandro Pais", "email": "leandro@mail.example" },
    message: "Is there a place left?",
    source: "public",
    status: "declined",
    declineReason: "The cell closes next week.",
    daysAgo: 108,
  },
];

export const multiplication = {
  cell: "Alfama",
  newCell: { "name": "Santo Estêvão", "weekday": thursday, "starts-at": at(20, 30) },
  note: "We are thirteen, and the kitchen is full.",
  leaders: ["Helena Matos"],
  members: ["Helena Matos", "Vasco Matos", "Teresa Correia", "Isabel Fonseca", "Joaquim Fonseca"],
};
