import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type {
  CellAttendanceStatus,
  CellMembershipCellRole,
  CourseEnrollmentStatus,
  HouseholdMembershipHouseholdRole,
  HouseholdMembershipMayPickUp,
  NoteVisibility,
  PersonAdministrativeStatus,
  PersonAdmissionMethod,
  PersonMaritalStatus,
  PersonMembershipStatus,
  PersonSex,
} from "@vestry/sdk";
import type { Tone } from "../ui/chip.tsx";

/** Words for the values of enumerations: `i18n._(membershipStatuses[status])`. */
type Words<Value extends string> = Readonly<Record<Value, MessageDescriptor>>;

export const membershipStatuses: Words<PersonMembershipStatus> = {
  "prospect": msg`Prospect`,
  "visitor": msg`Visitor`,
  "attender": msg`Attender`,
  "member": msg`Member`,
  "former-member": msg`Former member`,
  "deceased": msg`Deceased`,
};

/** Statuses that deserve a look. The others are plain text. */
export const membershipTones: Partial<Record<PersonMembershipStatus, Tone>> = {
  "prospect": "warn",
  "visitor": "info",
  "former-member": "plain",
  "deceased": "plain",
};

export const sexes: Words<PersonSex> = { "female": msg`Female`, "male": msg`Male` };

export const maritalStatuses: Words<PersonMaritalStatus> = {
  "single": msg`Single`,
  "married": msg`Married`,
  "engaged": msg`Engaged`,
  "partnered": msg`Partnered`,
  "separated": msg`Separated`,
  "divorced": msg`Divorced`,
  "widowed": msg`Widowed`,
};

export const admissionMethods: Words<PersonAdmissionMethod> = {
  "baptism": msg`Baptism`,
  "profession": msg`Profession of faith`,
  "transfer": msg({ message: "Transfer", context: "admission" }),
  "restoration": msg`Restoration`,
  "other": msg`Another way`,
};

export const administrativeStatuses: Words<PersonAdministrativeStatus> = {
  "none": msg`None`,
  "administrator": msg`Administrator`,
  "full-administrator": msg`Full administrator`,
};

export const householdRoles: Words<HouseholdMembershipHouseholdRole> = {
  "head": msg`Head of the household`,
  "spouse": msg`Spouse`,
  "child": msg`Child`,
  "dependent": msg`Dependent`,
  "other": msg`Other`,
};

export const pickUpRights: Words<HouseholdMembershipMayPickUp> = {
  "yes": msg`May pick up the children`,
  "no": msg`May not pick up the children`,
  "restricted": msg`May pick up the children with restrictions`,
};

export const cellRoles: Words<CellMembershipCellRole> = {
  "leader": msg`Leader`,
  "co-leader": msg`Co-leader`,
  "trainee": msg`Trainee`,
  "host": msg`Host`,
  "secretary": msg`Secretary`,
  "participant": msg`Participant`,
  "visitor": msg`Visitor of the group`,
};

export const attendanceStatuses: Words<CellAttendanceStatus> = {
  "present": msg`Came`,
  "online": msg`Came online`,
  "excused": msg`Excused`,
  "absent": msg`Missing`,
  "missed": msg`Missing`,
};

export const enrollmentStatuses: Words<CourseEnrollmentStatus> = {
  "requested": msg`Requested`,
  "waitlisted": msg`On the waiting list`,
  "active": msg`Takes part`,
  "completed": msg`Completed`,
  "withdrawn": msg`Withdrawn`,
  "failed": msg`Not passed`,
  "cancelled": msg`Canceled`,
};

export const noteVisibilities: Words<NoteVisibility> = {
  "scope": msg`Everyone who may read notes here`,
  "staff": msg`The staff of the church`,
  "confidential": msg`Those who may read confidential notes`,
};

/** What can be missing in the record of a person. */
export const missingNames: Words<"email" | "phone" | "birthdate" | "photo"> = {
  "email": msg`E-mail`,
  "phone": msg`Phone`,
  "birthdate": msg`Birthdate`,
  "photo": msg`Photo`,
};
