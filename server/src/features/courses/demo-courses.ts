/** The courses of the demo church. Teachers and students are named as in people.ts. */
export interface DemoCourse {
  name: string;
  summary: string;
  description: string;
  category: string;
  price?: number;
  isActive?: boolean;
  isPublic?: boolean;
  lessons: readonly string[];
  teachers: readonly string[];
  /** The title, and for whom. */
  materials: readonly (readonly [string, "student" | "teacher"])[];
  classes: readonly DemoClass[];
  /** The name of a course to have finished before. */
  requires?: string;
}

export interface DemoClass {
  name: string;
  status: "draft" | "open" | "in-progress" | "finished";
  /** The days until a class begins that takes enrollments. */
  beginsIn?: number;
  location?: string;
  teachers: readonly string[];
  enrollments: Readonly<Partial<Record<EnrollmentStatus, readonly string[]>>>;
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
      ["Workbook", "student"],
      ["Reading plan for forty days", "student"],
      ["Notes for leaders", "teacher"],
    ],
    classes: [
      {
        name: "Autumn",
        status: "finished",
        teachers: ["Thomas Ashworth"],
        enrollments: {
          completed: ["Lukas Weber", "Beatriz Ferreira", "Carolina Brandão", "Felipe Brandão"],
          withdrawn: ["Niklas Großmann"],
        },
      },
      {
        name: "Spring",
        status: "in-progress",
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
        beginsIn: 24,
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
    lessons: ["Promises", "Families of origin", "Conflict", "Money", "Faith at home", "Joy"],
    teachers: ["Eleanor Ashworth", "Samuel Adeyemi"],
    materials: [
      ["Questions for two", "student"],
      ["Guide for host couples", "teacher"],
    ],
    classes: [
      {
        name: "At the Ashworths'",
        status: "open",
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
    materials: [["Handbook for cell leaders", "student"]],
    classes: [
      {
        name: "Saturday mornings",
        status: "in-progress",
        teachers: ["Miguel Ângelo Carvalho", "Folake Adeyemi"],
        enrollments: {
          active: ["Lukas Weber", "Sofía Ibáñez", "Felipe Brandão"],
          completed: ["Beatriz Ferreira"],
        },
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
      ["Caderno de exercícios", "student"],
      ["Plano das aulas", "teacher"],
    ],
    classes: [
      {
        name: "Noites de terça",
        status: "in-progress",
        teachers: ["Ana Beatriz Oliveira"],
        enrollments: {
          active: ["Samuel Adeyemi", "Priya Nair", "Björn Lindqvist", "Lena Vogel"],
          completed: ["Daniel Kowalczyk"],
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
      ["Safeguarding policy", "student"],
      ["Story cards", "teacher"],
    ],
    classes: [
      {
        name: "This year's team",
        status: "finished",
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
    materials: [["Four hymns", "student"]],
    classes: [],
  },
];
