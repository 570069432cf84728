import { folded } from "../../../base/folded.ts";
import type { Language } from "../../../mail/languages.ts";
import { NotConverted } from "./convert.ts";

/**
 * The words by which lists call the values of choices, in English, Portuguese and Spanish. The value itself is understood too.
 * A word of two meanings stands at both values, so that the file must say which one it means.
 */
export const labels: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  // Sex
  "female": {
    "en": "f, woman, girl",
    "pt-BR": "f, fem, feminino, feminina, mulher",
    "es": "f, fem, femenino, femenina, mujer, m",
  },
  "male": {
    "en": "m, man, boy",
    "pt-BR": "m, masc, masculino, masculina, homem",
    "es": "h, m, masc, masculino, masculina, hombre, varon",
  },

  // Marital status
  "single": { "en": "unmarried", "pt-BR": "solteiro, solteira", "es": "soltero, soltera" },
  "married": { "en": "", "pt-BR": "casado, casada", "es": "casado, casada" },
  "engaged": {
    "en": "",
    "pt-BR": "noivo, noiva",
    "es": "comprometido, comprometida, novio, novia",
  },
  "partnered": {
    "en": "partner, civil union",
    "pt-BR":
      "uniao estavel, em uniao estavel, amasiado, amasiada, amigado, amigada, companheiro, companheira",
    "es": "union libre, en union libre, union estable, pareja de hecho, concubino, concubina",
  },
  "separated": {
    "en": "",
    "pt-BR": "separado, separada, desquitado, desquitada",
    "es": "separado, separada",
  },
  "divorced": { "en": "", "pt-BR": "divorciado, divorciada", "es": "divorciado, divorciada" },
  "widowed": { "en": "widow, widower", "pt-BR": "viuvo, viuva", "es": "viudo, viuda" },

  // Membership in the congregation
  "prospect": {
    "en": "contact, newcomer",
    "pt-BR": "contato, novo contato, interessado, interessada, simpatizante",
    "es": "contacto, interesado, interesada, simpatizante",
  },
  "visitor": {
    "en": "guest",
    "pt-BR": "visitante, visita",
    "es": "visitante, visita, invitado, invitada",
  },
  "attender": {
    "en": "attendee, regular attender",
    "pt-BR": "frequentador, frequentadora, frequentante, congregado, congregada",
    "es": "asistente, congregante",
  },
  "member": {
    "en": "active member",
    "pt-BR": "membro, membra, membro ativo",
    "es": "miembro, miembra, miembro activo",
  },
  "former-member": {
    "en": "ex member",
    "pt-BR": "ex membro, exmembro, desligado, desligada, ex membra",
    "es": "ex miembro, exmiembro",
  },
  "deceased": {
    "en": "dead, late",
    "pt-BR": "falecido, falecida, morto, morta",
    "es": "fallecido, fallecida, difunto, difunta",
  },
  "baptism": {
    "en": "baptized",
    "pt-BR": "batismo, batizado, batizada",
    "es": "bautismo, bautizado, bautizada",
  },
  "profession": {
    "en": "profession of faith",
    "pt-BR": "profissao, profissao de fe",
    "es": "profesion, profesion de fe",
  },
  "transfer": {
    "en": "letter, letter of transfer",
    "pt-BR": "transferencia, carta, carta de transferencia, transferido, transferida",
    "es": "transferencia, traslado, carta, carta de traslado",
  },
  "restoration": {
    "en": "reconciliation",
    "pt-BR": "restauracao, reconciliacao, reconciliado, reconciliada",
    "es": "restauracion, reconciliacion",
  },
  "other": { "en": "another", "pt-BR": "outro, outra, outros", "es": "otro, otra, otros" },

  // Roles in a household
  "head": {
    "en": "father, head of household",
    "pt-BR": "pai, chefe, chefe de familia, responsavel, titular",
    "es": "padre, jefe, jefa, cabeza de familia, jefe de hogar, jefa de hogar, titular",
  },
  "spouse": {
    "en": "mother, wife, husband",
    "pt-BR": "mae, conjuge, esposa, esposo, marido, mulher",
    "es": "madre, conyuge, esposa, esposo, marido, mujer",
  },
  "child": {
    "en": "son, daughter",
    "pt-BR": "filho, filha, enteado, enteada, crianca",
    "es": "hijo, hija, hijastro, hijastra, nino, nina",
  },
  "dependent": { "en": "", "pt-BR": "dependente", "es": "dependiente" },

  // Visibility in the directory
  "nobody": {
    "en": "none, private",
    "pt-BR": "ninguem, nenhum, privado",
    "es": "nadie, ninguno, privado",
  },
  "cell": { "en": "my cell", "pt-BR": "celula", "es": "celula" },
  "members": { "en": "", "pt-BR": "membros", "es": "miembros" },

  // Memberships of cells
  "leader": { "en": "", "pt-BR": "lider", "es": "lider" },
  "co-leader": {
    "en": "assistant leader, coleader",
    "pt-BR": "colider, co lider, vice lider, lider auxiliar",
    "es": "colider, co lider, lider asistente",
  },
  "trainee": {
    "en": "leader in training, apprentice",
    "pt-BR": "lider em treinamento, em treinamento, aprendiz, auxiliar",
    "es": "lider en formacion, en formacion, aprendiz",
  },
  "host": { "en": "hostess", "pt-BR": "anfitriao, anfitria", "es": "anfitrion, anfitriona" },
  "secretary": { "en": "", "pt-BR": "secretario, secretaria", "es": "secretario, secretaria" },
  "participant": {
    "en": "member",
    "pt-BR": "participante, membro",
    "es": "participante, miembro",
  },
  "active": {
    "en": "enrolled",
    "pt-BR": "ativo, ativa, matriculado, matriculada, cursando",
    "es": "activo, activa, matriculado, matriculada, cursando",
  },
  "left": {
    "en": "inactive",
    "pt-BR": "saiu, inativo, inativa",
    "es": "salio, inactivo, inactiva",
  },
  "moved-cell": {
    "en": "changed cell",
    "pt-BR": "mudou de celula, trocou de celula",
    "es": "cambio de celula",
  },
  "multiplied": {
    "en": "multiplication",
    "pt-BR": "multiplicacao, multiplicou",
    "es": "multiplicacion",
  },
  "left-church": {
    "en": "left the church",
    "pt-BR": "saiu da igreja, deixou a igreja",
    "es": "dejo la iglesia, salio de la iglesia",
  },
  "cell-closed": { "en": "", "pt-BR": "celula fechada, celula encerrada", "es": "celula cerrada" },

  // Enrollments
  "requested": {
    "en": "request",
    "pt-BR": "solicitado, solicitada, pre inscrito, pre inscrita",
    "es": "solicitado, solicitada, preinscrito, preinscrita",
  },
  "waitlisted": {
    "en": "waiting list",
    "pt-BR": "lista de espera, em espera",
    "es": "lista de espera, en espera",
  },
  "completed": {
    "en": "graduated, passed",
    "pt-BR": "concluido, concluida, concluiu, formado, formada, aprovado, aprovada",
    "es": "completado, completada, egresado, egresada, aprobado, aprobada",
  },
  "failed": { "en": "", "pt-BR": "reprovado, reprovada", "es": "reprobado, reprobada, suspenso" },
  "withdrawn": {
    "en": "dropped out",
    "pt-BR": "desistente, desistiu, trancado, trancada",
    "es": "retirado, retirada, desistio",
  },
  "cancelled": {
    "en": "canceled",
    "pt-BR": "cancelado, cancelada",
    "es": "cancelado, cancelada, anulado, anulada",
  },
  "not-required": {
    "en": "free",
    "pt-BR": "nao se aplica, gratuito, isento",
    "es": "no aplica, gratuito",
  },
  "pending": { "en": "open, unpaid", "pt-BR": "pendente, em aberto", "es": "pendiente" },
  "paid": { "en": "", "pt-BR": "pago, paga, quitado", "es": "pagado, pagada" },
  "waived": {
    "en": "",
    "pt-BR": "dispensado, dispensada, bolsista",
    "es": "exento, exenta, becado, becada",
  },
  "refunded": {
    "en": "",
    "pt-BR": "reembolsado, reembolsada, estornado",
    "es": "reembolsado, reembolsada, devuelto",
  },
};

/** `Casado(a)`, `Casada/o` and `casado` are written alike. */
const plain = (text: string): string =>
  folded(text)
    .replaceAll(/\s*(\([ao]s?\)|\/[ao]s?(?![a-z]))/g, "")
    .replaceAll(/[\s._-]+/g, " ")
    .trim();

const isLabel = (value: string, language: Language, given: string): boolean =>
  labels[value]?.[language].split(", ").includes(given) === true;

/** Finds the choice that a cell means: the value, or a label in the language of the account or in English. */
export function choiceOf(
  choices: readonly string[],
  cell: string,
  language: Language,
): string | NotConverted {
  if (choices.includes(cell)) return cell;
  const given = plain(cell);
  const own = choices.find((one) => plain(one) === given);
  if (own !== undefined) return own;
  for (const tongue of [language, "en"] as const) {
    const [found, ...others] = choices.filter((one) => isLabel(one, tongue, given));
    if (found !== undefined && others.length > 0)
      return new NotConverted(
        `Can mean ${[found, ...others].join(" or ")}. Say which in \`value-mapping\`.`,
      );
    if (found !== undefined) return found;
  }
  return cell;
}
