import { type Html, jsonScript } from "../../base/html.ts";
import type { Church, Shown } from "./church.ts";

/** The facts for search engines, as schema.org describes them. They contain nothing that the page does not show. */

const facts = (type: string, members: object): Html =>
  jsonScript({ "@context": "https://schema.org", "@type": type, ...members });

const asOrganization = (church: Church) => ({
  "@type": "Organization",
  "name": church.name,
  "url": church.url(),
});

export function churchFacts(church: Church): Html {
  const { address, phone, website, "logo-url": logo } = church.shown;
  return facts("Church", {
    name: church.name,
    url: church.url(),
    ...(logo && { logo }),
    ...(phone && { telephone: phone }),
    ...(website && { sameAs: [website] }),
    ...(address && { address: postalAddress(address) }),
  });
}

export function courseFacts(church: Church, course: Shown<"courses">): Html {
  const { description, id, name, summary } = course;
  return facts("Course", {
    name,
    description: summary ?? description ?? name,
    url: church.url(`/courses/${id}`),
    provider: asOrganization(church),
  });
}

const courseModes = { "in-person": "onsite", "online": "online", "hybrid": "blended" };

export function classFacts(
  church: Church,
  { ends, id, location, mode, name, starts }: Shown<"course-classes">,
  course: Shown<"courses">,
): Html {
  return facts("CourseInstance", {
    name: `${course.name} · ${name}`,
    description: course.summary ?? course.description ?? course.name,
    url: church.url(`/classes/${id}`),
    courseMode: courseModes[mode],
    ...(starts && { startDate: starts }),
    ...(ends && { endDate: ends }),
    ...(location && { location: { "@type": "Place", "name": location, "address": location } }),
    organizer: asOrganization(church),
  });
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const frequencies = { weekly: "P1W", fortnightly: "P2W", monthly: "P1M", irregular: null };

export function cellFacts(church: Church, cell: Shown<"cells">): Html {
  const { "ends-at": until, "starts-at": from, frequency, id, name, weekday } = cell;
  const { city, neighborhood, "is-online": isOnline } = cell;
  const url = church.url(`/cells/${id}`);
  const attendance = isOnline ? "OnlineEventAttendanceMode" : "OfflineEventAttendanceMode";
  const repeat = frequencies[frequency];
  return facts("Event", {
    name,
    ...(cell.description && { description: cell.description }),
    url,
    eventAttendanceMode: `https://schema.org/${attendance}`,
    ...(weekday !== null && {
      eventSchedule: {
        "@type": "Schedule",
        "byDay": `https://schema.org/${days[weekday]}`,
        ...(repeat && { repeatFrequency: repeat }),
        ...(from !== null && { startTime: timeOf(from) }),
        ...(until !== null && { endTime: timeOf(until) }),
        "scheduleTimezone": church.shown.settings["time-zone"],
      },
    }),
    location: isOnline
      ? { "@type": "VirtualLocation", url }
      : {
          "@type": "Place",
          "name": [neighborhood, city].filter(Boolean).join(", ") || name,
          "address": postalAddress({ city, ...cell.address }),
        },
    organizer: asOrganization(church),
  });
}

/** Minutes since midnight as `19:30`. */
const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

function postalAddress(address: NonNullable<Shown<"accounts">["address"]>) {
  const { city, number, "postal-code": code, state, street } = address;
  const line = [street, number].filter(Boolean).join(" ");
  return {
    "@type": "PostalAddress",
    ...(line && { streetAddress: line }),
    ...(city && { addressLocality: city }),
    ...(state && { addressRegion: state }),
    ...(code && { postalCode: code }),
  };
}
