import { pdfOf, pngOf } from "../sample-files.ts";

/** The courses of the demo church. Teachers and students are named as in people.ts. */
export interface DemoCourse {
  name: string;
  summary: string;
  description: string;
  category: string;
  price?: number;
  isActive?: boolean;
  isPublic?: boolean;
  /** The first one is mandatory. */
  lessons: readonly string[];
  teachers: readonly string[];
  materials: readonly DemoMaterial[];
  tasks?: readonly DemoTask[];
  classes: readonly DemoClass[];
  /** The name of a course to have finished before. */
  requires?: string;
  minimumAge?: number;
}

export interface DemoMaterial {
  title: string;
  audience: "student" | "teacher";
  /** The default is `unlisted`. */
  status?: "draft" | "public";
  content?: string;
  url?: string;
  /** The number of its lesson. */
  lesson?: number;
  availableFrom?: number;
  file?: { name: string; mediaType: string; bytes: () => Buffer };
}

export interface DemoTask {
  name: string;
  instructions: string;
  isMandatory?: boolean;
  /** Days after the start of the class. */
  due: number;
  answer: string;
}

export interface DemoClass {
  name: string;
  status: "draft" | "open" | "in-progress" | "finished";
  /** A class begins on this day of the week, so many days from now or up to six days earlier. It meets weekly. */
  begins?: { weekday: number; inDays: number; at: number };
  location?: string;
  seats?: number;
  teachers: readonly string[];
  enrollments: Readonly<Partial<Record<EnrollmentStatus, readonly string[]>>>;
  /** Students without the required course, and the reason for their place. */
  requirementsWaived?: Readonly<Record<string, string>>;
  /** Students who completed the course without its lessons, and the reason. */
  graduationWaived?: Readonly<Record<string, string>>;
}

export type EnrollmentStatus = "requested" | "waitlisted" | "active" | "completed" | "withdrawn";

export const courses: readonly DemoCourse[] = [
  {
    name: "Foundations of Faith",
    summary: "The beginning: what Christians believe, and why.",
    description: "Seven evenings with time for every question. No previous knowledge is needed.",
    category: "Discipleship",
    isPublic: true,
    lessons: [
      "Who is God?",
      "Who is Jesus?",
      "Why did Jesus die?",
      "Reading the Bible",
      "Prayer",
      "The Church",
      "Baptism and Communion",
    ],
    teachers: ["Thomas Ashworth", "Graça Carvalho"],
    materials: [
      {
        title: "Workbook",
        audience: "student",
        lesson: 1,
        content:
          "# Seven evenings\n\nBring this workbook every week.\n\n1. Read the passage.\n2. Write down **one question**.\n",
        file: {
          name: "Workbook.pdf",
          mediaType: "application/pdf",
          bytes: () => pdfOf(["Foundations of Faith", "", "My question this week:"]),
        },
      },
      {
        title: "Reading plan for forty days",
        audience: "student",
        status: "public",
        content:
          "| Days | Reading |\n| - | - |\n| 1–16 | Mark |\n| 17–28 | Philippians, Colossians |\n| 29–40 | Psalms 1–12 |\n",
      },
      {
        title: "Preparing for baptism",
        audience: "student",
        lesson: 7,
        availableFrom: 35,
        content: "Talk with your teacher before the last evening.\n",
      },
      {
        title: "Notes for leaders",
        audience: "teacher",
        content: "- Arrive half an hour early.\n- Leave time for silence.\n",
      },
      { title: "Outline of an eighth evening", audience: "teacher", status: "draft" },
    ],
    tasks: [
      {
        name: "Read the Gospel of Mark",
        instructions: "Read it in one week, and write down three sentences that surprised you.",
        isMandatory: true,
        due: 14,
        answer: "He slept in the storm. He asked questions. The end is so short.",
      },
      {
        name: "Tell your story",
        instructions: "Half a page: how did you come to ask about faith?",
        due: 28,
        answer: "My grandmother prayed for me every morning.",
      },
    ],
    classes: [
      {
        name: "Autumn",
        status: "finished",
        begins: { weekday: 2, inDays: -120, at: 1_170 },
        location: "Parish hall",
        seats: 12,
        teachers: ["Thomas Ashworth"],
        enrollments: {
          completed: ["Lukas Weber", "Beatriz Ferreira", "Carolina Brandão", "Felipe Brandão"],
          withdrawn: ["Niklas Großmann"],
        },
      },
      {
        name: "Spring",
        status: "in-progress",
        begins: { weekday: 2, inDays: -24, at: 1_170 },
        location: "Parish hall",
        seats: 5,
        teachers: ["Graça Carvalho", "Grace O'Connor"],
        enrollments: {
          active: ["Rui Santos", "Priya Nair", "Nuno Araújo", "Yara Quintão", "Andrés Ibáñez"],
          waitlisted: ["Ximena Peñalver"],
          requested: ["Emma Clarke"],
        },
      },
      {
        name: "Next term",
        status: "open",
        begins: { weekday: 2, inDays: 24, at: 1_170 },
        location: "Parish hall",
        teachers: ["Thomas Ashworth"],
        enrollments: {},
      },
    ],
  },
  {
    name: "Marriage Preparation",
    summary: "For couples before the wedding.",
    description: "Six conversations about promises, money, families, conflict, faith and joy.",
    category: "Family",
    price: 4_500,
    minimumAge: 18,
    lessons: ["Promises", "Families of origin", "Conflict", "Money", "Faith at home", "Joy"],
    teachers: ["Eleanor Ashworth", "Samuel Adeyemi"],
    materials: [
      { title: "Questions for two", audience: "student" },
      { title: "Guide for host couples", audience: "teacher" },
    ],
    classes: [
      {
        name: "At the Ashworths'",
        status: "open",
        begins: { weekday: 5, inDays: 14, at: 1_200 },
        location: "At the Ashworths'",
        seats: 6,
        teachers: ["Eleanor Ashworth"],
        enrollments: { active: ["Zoë Müller-Santos", "Rui Santos"] },
      },
    ],
  },
  {
    name: "Leading a Cell",
    summary: "For those who care for a small group, or soon will.",
    description: "Hosting, listening, leading a conversation, and noticing who is missing.",
    category: "Leadership",
    requires: "Foundations of Faith",
    lessons: ["Hosting", "Listening", "Leading a conversation", "Caring", "Multiplying"],
    teachers: ["Miguel Ângelo Carvalho"],
    materials: [{ title: "Handbook for cell leaders", audience: "student" }],
    classes: [
      {
        name: "Saturday mornings",
        status: "in-progress",
        begins: { weekday: 6, inDays: -15, at: 600 },
        location: "Upper room",
        teachers: ["Miguel Ângelo Carvalho", "Folake Adeyemi"],
        enrollments: {
          active: ["Lukas Weber", "Sofía Ibáñez", "Felipe Brandão"],
          completed: ["Beatriz Ferreira"],
        },
        requirementsWaived: { "Sofía Ibáñez": "Took the course in her home church." },
        graduationWaived: { "Beatriz Ferreira": "Has led a cell for years." },
      },
    ],
  },
  {
    name: "Português para recém-chegados",
    summary: "Portuguese for newcomers.",
    description: "O essencial para a vida em Lisboa: compras, médico, escola, culto.",
    category: "Community",
    price: 2_000,
    isPublic: true,
    lessons: ["Apresentar-se", "No mercado", "No médico", "Na escola", "No culto"],
    teachers: ["Ana Beatriz Oliveira"],
    materials: [
      { title: "Caderno de exercícios", audience: "student" },
      { title: "Plano das aulas", audience: "teacher" },
    ],
    classes: [
      {
        name: "Noites de terça",
        status: "in-progress",
        begins: { weekday: 2, inDays: -10, at: 1_140 },
        teachers: ["Ana Beatriz Oliveira"],
        enrollments: {
          active: ["Samuel Adeyemi", "Björn Lindqvist", "Lena Vogel", "Daniel Kowalczyk"],
        },
      },
    ],
  },
  {
    name: "Children's Team Training",
    summary: "Safe and cheerful Sundays for the youngest.",
    description: "Safeguarding, storytelling, games, and what to do when somebody cries.",
    category: "Service",
    lessons: ["Safeguarding", "Telling stories", "Games", "Difficult moments"],
    teachers: ["Folake Adeyemi", "Lurdes Araújo"],
    materials: [
      {
        title: "Safeguarding policy",
        audience: "student",
        status: "public",
        url: "https://www.example.org/safeguarding",
      },
      {
        title: "Story cards",
        audience: "teacher",
        file: {
          name: "Sky.png",
          mediaType: "image/png",
          bytes: () =>
            pngOf({ width: 160, height: 90 }, [
              [70, 130, 200],
              [250, 220, 180],
            ]),
        },
      },
    ],
    classes: [
      {
        name: "This year's team",
        status: "finished",
        begins: { weekday: 6, inDays: -80, at: 570 },
        teachers: ["Folake Adeyemi"],
        enrollments: {
          completed: ["Lukas Weber", "Beatriz Ferreira", "Sofía Ibáñez", "Lena Vogel"],
        },
      },
      { name: "Next year's team", status: "draft", teachers: ["Lurdes Araújo"], enrollments: {} },
    ],
  },
  {
    name: "Choir School",
    summary: "Rests until there is a new conductor.",
    description: "Breathing, reading music, singing in parts.",
    category: "Music",
    isActive: false,
    lessons: ["Breathing", "Reading music", "Singing in parts"],
    teachers: ["Núria Puig i Vidal"],
    materials: [{ title: "Four hymns", audience: "student" }],
    classes: [],
  },
];
