/** Names as one meets them in churches of four languages. Kept apart by language: they would not be believed mixed. */
export interface Names {
  locale: string;
  country: string;
  dial: string;
  female: readonly [string, ...string[]];
  male: readonly [string, ...string[]];
  family: readonly [string, ...string[]];
  cities: readonly [string, ...string[]];
  streets: readonly [string, ...string[]];
}

const words = (text: string) => text.split(/\s*,\s*/) as [string, ...string[]];

const portuguese: Names = {
  locale: "pt-BR",
  country: "BR",
  dial: "+5511900",
  female:
    words(`Ana, Maria, Beatriz, Júlia, Larissa, Letícia, Mariana, Camila, Fernanda, Patrícia, Conceição, Inês,
    Débora, Raquel, Ester, Lurdes, Graça, Tânia, Vitória, Sônia, Luísa, Catarina, Joana, Simone, Thaís, Rebeca`),
  male: words(`João, José, Pedro, Lucas, Mateus, Tiago, André, Antônio, Luís, Marcos, Paulo, Sérgio, Vítor, Simão,
    Davi, Rafael, Gonçalo, Felipe, Estêvão, Natanael, Caio, Rui, Nuno, Álvaro, Fábio, Elias`),
  family:
    words(`da Silva, Santos, Oliveira, Souza, Pereira, Costa, Rodrigues, Almeida, Nascimento, Lima, Araújo,
    Fernandes, Carvalho, Gomes, Martins, Rocha, Ribeiro, Alves, Monteiro, Mendes, Barros, Freitas, Barbosa, Pinto,
    Moura, Cavalcanti, Dias, Castro, Campos, Cardoso, Teixeira, Brandão, Nogueira, Conceição, Guimarães, Assunção`),
  cities: words("São Paulo, Campinas, Santo André, Osasco, Guarulhos, Ribeirão Preto, Jundiaí"),
  streets: words("Rua das Flores, Avenida Brasil, Rua São João, Rua da Paz, Travessa do Comércio"),
};

const english: Names = {
  locale: "en-GB",
  country: "GB",
  dial: "+447700",
  female:
    words(`Emma, Olivia, Grace, Hannah, Sarah, Rachel, Charlotte, Eleanor, Zoë, Chloé, Siân, Niamh, Ruth, Naomi,
    Lydia, Abigail, Martha, Joy, Faith, Esther, Folake, Priya, Amara, Bethany, Alice, Megan`),
  male: words(`James, Oliver, Samuel, Daniel, Thomas, Benjamin, Joshua, Caleb, Nathan, Seán, Ciarán, Owen, Peter, Mark,
    Luke, Simon, Tobi, Kwame, Adrian, Stephen, Isaac, Joel, Aaron, Micah, Reuben, Hugh`),
  family:
    words(`Smith, Jones, Taylor, Brown, Williams, Wilson, Johnson, Davies, Patel, Wright, Walker, Thompson, White,
    Edwards, Hughes, Green, Hall, Clarke, O'Connor, O'Brien, MacDonald, Fitzgerald, Ashworth, Whitfield, Adeyemi,
    Okafor, Nair, Singh, Baker, Turner, Hill, Cooper, Ward, Morris, Reid, Campbell`),
  cities: words("London, Leeds, Bristol, Norwich, Belfast, Cardiff, Glasgow"),
  streets: words("Church Lane, High Street, Mill Road, Station Road, Orchard Way"),
};

const german: Names = {
  locale: "de-DE",
  country: "DE",
  dial: "+4915100",
  female:
    words(`Anna, Lena, Käthe, Heike, Jördis, Sabine, Ursula, Birgit, Claudia, Franziska, Hannelore, Ilse, Johanna,
    Katharina, Magdalena, Renate, Susanne, Ulrike, Veronika, Änne, Mia, Lea, Sophie, Clara, Frieda, Miriam`),
  male: words(`Lukas, Jürgen, Björn, Günther, Matthias, Tobias, Sebastian, Johannes, Friedrich, Otto, Hans-Peter, Jörg,
    Rüdiger, Sören, Wolfgang, Niklas, Elias, Paul, Karl, Simon, Andreas, Michael, Stefan, Uwe, Volker, Detlef`),
  family:
    words(`Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch,
    Bauer, Richter, Klein, Wolf, Schröder, Neumann, Schwarz, Zimmermann, Braun, Krüger, Hofmann, Hartmann, Lange,
    Werner, Krause, Lehmann, Köhler, Maier, Großmann, Jäger, Böhm, Vogel, Weiß, Baumgärtner`),
  cities: words("Köln, Nürnberg, Münster, Göttingen, Würzburg, Leipzig, Tübingen"),
  streets: words("Kirchgasse, Hauptstraße, Am Mühlbach, Lindenweg, Schillerstraße"),
};

const spanish: Names = {
  locale: "es-ES",
  country: "ES",
  dial: "+346000",
  female:
    words(`María, Lucía, Sofía, Carmen, Pilar, Raquel, Noemí, Ximena, Belén, Rocío, Inés, Verónica, Mónica,
    Concepción, Ángela, Begoña, Núria, Esperanza, Marta, Elena, Paula, Alba, Irene, Ester, Sara, Judit`),
  male: words(`José, Ángel, Andrés, Íñigo, Mateo, Martín, Joaquín, Ramón, Jesús, Tomás, Sebastián, Nicolás, Héctor,
    Óscar, Rubén, Adrián, Álvaro, Ignacio, Ezequiel, Pablo, Carlos, Javier, Miguel, Sergio, Raúl, Benjamín`),
  family:
    words(`García, Fernández, González, Rodríguez, López, Martínez, Sánchez, Pérez, Gómez, Martín, Jiménez, Ruiz,
    Hernández, Díaz, Moreno, Muñoz, Álvarez, Romero, Gutiérrez, Navarro, Torres, Domínguez, Vázquez, Ramos, Gil,
    Ramírez, Serrano, Blanco, Molina, Suárez, Ibáñez, Núñez, Peña, Ordóñez, Cañadas, Yáñez`),
  cities: words("Madrid, Málaga, Logroño, A Coruña, Cádiz, Almería, Alcalá de Henares"),
  streets: words(
    "Calle Mayor, Calle del Sol, Avenida de la Constitución, Plaza de España, Camino Viejo",
  ),
};

export const languages = [portuguese, english, german, spanish] as const;
