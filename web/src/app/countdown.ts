import { useEffect, useState } from "react";

/** The seconds that are left, and a function that starts them. A clock that is set right meanwhile changes nothing. */
export function useCountdown(): [seconds: number, start: (seconds: number) => void] {
  const [end, setEnd] = useState(0);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (end === 0) return;
    const timer = setInterval(() => {
      setNow(performance.now());
      if (performance.now() >= end) setEnd(0);
    }, 250);
    return () => clearInterval(timer);
  }, [end]);
  const left = end === 0 ? 0 : Math.max(1, Math.ceil((end - now) / 1000));
  return [
    left,
    (seconds) => {
      setNow(performance.now());
      setEnd(performance.now() + seconds * 1000);
    },
  ];
}
