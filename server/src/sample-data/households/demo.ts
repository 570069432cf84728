import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../demo-account.ts";

interface DemoHousehold {
  name: string;
  street: string;
  /** The head, who is also the primary contact. */
  head: string;
  spouse?: string;
  children?: readonly string[];
  others?: readonly string[];
}

// biome-ignore format: one household a line reads like a list of households
const households: readonly DemoHousehold[] = [
  { name: "Oliveira", street: "Rua das Flores", head: "Ana Beatriz Oliveira", spouse: "João Pedro Oliveira", children: ["Inês Oliveira", "Tomás Oliveira"] },
  { name: "Schröder", street: "Rua do Século", head: "Jürgen Schröder", spouse: "Käthe Schröder" },
  { name: "Núñez García", street: "Rua da Palma", head: "María José García Núñez", spouse: "Íñigo Núñez Peña", children: ["Lucía Núñez García", "Mateo Núñez García"] },
  { name: "Adeyemi", street: "Rua Ferreira Borges", head: "Samuel Adeyemi", spouse: "Folake Adeyemi", children: ["Tobi Adeyemi"] },
  { name: "Ferreira", street: "Beco do Carneiro", head: "António Ferreira", children: ["Beatriz Ferreira"], others: ["Conceição Ferreira"] },
  { name: "Ashworth", street: "Rua de São Bento", head: "Thomas Ashworth", spouse: "Eleanor Ashworth" },
  { name: "Ibáñez", street: "Rua da Rosa", head: "Sofía Ibáñez", others: ["Andrés Ibáñez"] },
  { name: "Carvalho", street: "Rua Saraiva de Carvalho", head: "Miguel Ângelo Carvalho", spouse: "Graça Carvalho", children: ["Simão Carvalho", "Marta Carvalho"] },
  { name: "Monteiro", street: "Calçada da Graça", head: "Raquel Monteiro", children: ["Davi Monteiro", "Esther Monteiro"] },
  { name: "Araújo", street: "Rua de Belém", head: "Paulo Sérgio Araújo", spouse: "Lurdes Araújo" },
  { name: "Clarke", street: "Rua Coelho da Rocha", head: "Emma Clarke", spouse: "Oliver Clarke" },
  { name: "Brandão", street: "Rua dos Jerónimos", head: "Felipe Brandão", spouse: "Carolina Brandão" },
  { name: "Almeida", street: "Rua dos Remédios", head: "Gonçalo Almeida", spouse: "Ruth Cohen-Almeida", children: ["Benjamim Almeida"] },
  { name: "Domínguez", street: "Avenida Almirante Reis", head: "Ezequiel Domínguez", others: ["Pilar Domínguez"] },
  { name: "Teixeira", street: "Rua Voz do Operário", head: "Catarina Teixeira", spouse: "Ivo Teixeira" },
  { name: "Lopes", street: "Rua da Junqueira", head: "Tiago Lopes", spouse: "Marta Lopes", children: ["Leonor Lopes", "Duarte Lopes"] },
  { name: "Pereira", street: "Travessa das Mónicas", head: "Henrique Pereira", spouse: "Sónia Pereira", children: ["Rita Pereira", "Afonso Pereira"] },
  { name: "Fonseca", street: "Rua do Benformoso", head: "Isabel Fonseca", spouse: "Joaquim Fonseca" },
  { name: "Nunes", street: "Estrada de Benfica", head: "Cláudia Nunes", spouse: "Bruno Nunes", children: ["Alice Nunes"] },
  { name: "Okafor", street: "Rua de Arroios", head: "Chidi Okafor", spouse: "Ngozi Okafor", children: ["Amara Okafor", "Kelechi Okafor"] },
  { name: "Hughes", street: "Rua da Lapa", head: "Owen Hughes", spouse: "Siân Hughes", children: ["Bethan Hughes"] },
  { name: "Becker", street: "Rua Passos Manuel", head: "Tobias Becker", spouse: "Miriam Becker", children: ["Jonas Becker"] },
  { name: "Torres", street: "Rua da Madalena", head: "Ramón Torres", spouse: "Elena Torres" },
  { name: "Navarro", street: "Rua do Poço dos Negros", head: "Alba Navarro", others: ["Héctor Navarro"] },
  { name: "Matos", street: "Rua de São Tomé", head: "Helena Matos", spouse: "Vasco Matos" },
  { name: "Lima", street: "Rua Prior do Crato", head: "Fernanda Lima", spouse: "Caio Lima" },
  { name: "Tavares", street: "Avenida do Uruguai", head: "Ricardo Tavares", spouse: "Sara Tavares", children: ["Francisco Tavares"] },
];

export async function addDemo(account: DemoAccount): Promise<void> {
  await account.insert(
    "households",
    households.map(({ head, name, street }, index) => ({
      id: account.newId("households", name),
      name: `Family ${name}`,
      address: { street, number: String(3 + 2 * index), city: "Lisboa", country: "PT" },
      primary_contact_id: account.idOf("people", head),
    })),
  );
  await account.insert(
    "household_memberships",
    households.flatMap(({ children = [], head, name, others = [], spouse }) => {
      const household_id = account.idOf("households", name);
      const member = (person: string, household_role: string, may_pick_up: string | null) => ({
        id: newId(),
        household_id,
        person_id: account.idOf("people", person),
        household_role,
        is_primary: true,
        may_pick_up,
      });
      const adult = children.length > 0 ? "yes" : null;
      return [
        member(head, "head", adult),
        ...(spouse === undefined ? [] : [member(spouse, "spouse", adult)]),
        ...children.map((child) => member(child, "child", null)),
        ...others.map((other) => member(other, "other", adult)),
      ];
    }),
  );
}
