import { useSearch } from "@tanstack/react-router";
import { ClipboardCheck, Mail } from "lucide-react";
import { Avatar } from "../avatar.tsx";
import { Button } from "../button.tsx";
import { Page } from "../page.tsx";
import { Tabs } from "../tabs.tsx";
import { LONG_NAME, LONG_TEXT } from "./specimen.tsx";

const TABS = [
  { id: "members", label: "Members", count: 13 },
  { id: "meetings", label: "Meetings", count: 0 },
  { id: "requests", label: "Requests for a visit", count: 1_234 },
  { id: "about", label: "About" },
];

function GroupTabs() {
  const { tab = "members" } = useSearch({ strict: false });
  return (
    <Tabs label="About the group" tabs={TABS} current={tab} to="/people/$id" params={{ id: "1" }} />
  );
}

export const Pages = () => (
  <>
    <GroupTabs />
    <Page
      title={LONG_NAME}
      documentTitle="Gallery"
      beside="member"
      face={<Avatar name={LONG_NAME} size={60} />}
      back={{ to: "/people", label: "Back to people" }}
    >
      <p>The page of a person.</p>
    </Page>
    <Page
      title="Alfama"
      documentTitle="Gallery"
      above="Group"
      beneath={LONG_TEXT}
      back={{ to: "/cells", label: "Back to groups" }}
      isLarge
      actions={
        <>
          <Button icon={<Mail size={16} />}>
            <span>Write</span>
          </Button>
          <Button kind="filled" icon={<ClipboardCheck size={18} />}>
            <span>Report</span>
          </Button>
        </>
      }
    >
      <p>The page of a group.</p>
    </Page>
  </>
);
