"""Runs on their way through the ranks: wait for a free place, begin, gather how each rank ended, stop when
one fails.

The rules of ending are all here. The first rank that fails or dies stops the others at once: an interrupt,
then after the grace SIGKILL. A run is over when every one of its ranks has answered, raised, taken the
interrupt, or is dead, so nothing is taken for a success whose answer did not arrive. Owned by the supervisor
thread.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from sharding.errors import WorkerError
from sharding.workers import conclusion, failure, oom
from sharding.workers.call import Run, Status
from sharding.workers.failure import Outcome, OutcomeKind
from sharding.workers.group import Group
from sharding.workers.hangs import Hang, HangWatch
from sharding.workers.member import Member
from sharding.workers.record import RunEvent
from sharding.workers.wire import Message, Packet

START_LIMIT_S = 120.0
SILENCE_MARGIN_S = 2.0
KILL_LIMIT_S = 2.0


@dataclass(eq=False)
class Job:
    """A run, the message that begins it in a rank, and what the conductor knows of it."""

    run: Run
    packet: Packet
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    last_sign: float = 0.0
    stopped_for: str = ""
    pressed_again: bool = False
    kill_at: float | None = None
    hangs: HangWatch | None = None
    shown_wait_s: float = 0.0


class Conductor:
    """All runs of one group."""

    def __init__(self) -> None:
        self.group: Group  # set by the supervisor, which makes both
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._num_oom_kills = oom.num_kills()

    @property
    def jobs(self) -> list[Job]:
        return [*self._running, *self._waiting]

    # Beginning

    def submit(self, job: Job) -> None:
        self._waiting.append(job)
        self.advance()

    def advance(self) -> None:
        """Begin every waiting run whose ranks are free, oldest first; a run never overtakes an older one on
        its ranks.
        """
        claimed = {rank for job in self._running for rank in job.run.ranks}
        for job in list(self._waiting):
            needs_all = not self.group.is_whole
            ranks = set(range(self.group.settings.placement.nprocs)) if needs_all else set(job.run.ranks)
            if not ranks & claimed:
                self._waiting.remove(job)
                self._begin(job)
            claimed |= ranks

    def _begin(self, job: Job) -> None:
        try:
            self.group.prepare()
        except (WorkerError, OSError) as error:
            self._close(job.run, "failed", str(error))
            return
        self._running.append(job)
        job.last_sign = time.monotonic()
        job.hangs = HangWatch(self.group.settings.hang_after_s)
        job.run._begin()
        self._note(job, None, "call.begin", name=job.run.name, ranks=list(job.run.ranks))
        for rank in job.run.ranks:
            member = self.group.members[rank]
            member.run = member.last_run = job.run
            member.stderr.clear()
            member.tell(job.packet)
        job.packet.close()

    # Hearing

    def on_message(self, member: Member, message: Message) -> None:
        job = self._job_of(member)
        if job is None:
            return
        if message.kind in ("state", "memory", "collectives"):
            if message["call"] == job.run.call:
                self._hear_of_watch(job, member, message)
            return
        job.last_sign = time.monotonic()
        if message.kind == "ready":
            self._note(job, member.number, "rank.ready", pid=member.pid, device=member.device)
        elif message.kind == "event":
            if message["call"] == job.run.call:
                self._note(job, member.number, message["name"], message["time_ns"], **message["values"])
        elif message["call"] == job.run.call:
            if job.hangs is not None:
                job.hangs.finish(member.number, message["entered"])
            self._end_of_rank(job, member, self._outcome(member, message))

    def _hear_of_watch(self, job: Job, member: Member, message: Message) -> None:
        """What the rank's second thread tells is no sign of progress."""
        fields = dict(message.fields)
        time_ns = fields.pop("time_ns")
        del fields["call"]
        if message.kind == "state":
            self._look_for_hang(job, member, message)
        elif message.kind == "memory":
            self._note(job, member.number, "memory", time_ns, **fields)
        else:
            for index, each in enumerate(fields["collectives"]):
                missed = 0 if index else fields["num_missed"]
                self._note(job, member.number, "collective", each.pop("time_ns"), **each, num_missed=missed)

    def _look_for_hang(self, job: Job, member: Member, message: Message) -> None:
        """A rank says where it is."""
        if job.hangs is None or job.stopped_for:
            return
        hang = job.hangs.hear(member.number, message.fields)
        if hang is not None:
            self._note(job, None, "hang", **vars(hang))
            self._show_hang(job, hang)

    def _show_hang(self, job: Job, hang: Hang) -> None:
        """The card once, then a line each time the wait has doubled."""
        if not hang.again:
            job.run._show(f"{hang.text}\n")
        elif hang.waits_s >= 2 * job.shown_wait_s:
            job.run._show(f"still: {hang.text.splitlines()[0]}\n")
        else:
            return
        job.shown_wait_s = hang.waits_s

    def on_lines(self, member: Member, stream: str, lines: list[str]) -> None:
        if stream == "stderr":
            member.stderr.extend(lines)
        run = member.run or member.last_run
        if run is None:
            return
        job = self._job_of(member)
        if job is not None:
            job.last_sign = time.monotonic()
        values = {"stream": stream, "text": "\n".join(lines) + "\n"}
        run._add_output(self._event(run, member.number, "log", time.monotonic_ns(), values))

    def on_bar(self, member: Member, text: str) -> None:
        """A line that is redrawn and not finished: progress, too."""
        job = self._job_of(member)
        if job is not None:
            job.last_sign = time.monotonic()
            job.run._draw_bar(member.number, text)

    def on_death(self, member: Member, code: int | None, reason: str) -> None:
        job = self._job_of(member)
        if job is None:
            return
        text = reason or member.killed or failure.death_text(code, out_of_memory=self._memory_ran_out())
        fields = {"text": text, "code": code, "stderr": [] if member.killed else member.last_words()}
        kind: OutcomeKind = "killed" if member.killed else "died"
        outcome = Outcome(member.number, kind, time.monotonic_ns(), self._place(member), fields=fields)
        self._end_of_rank(job, member, outcome)

    def _memory_ran_out(self) -> bool:
        """Whether the OOM killer has struck since the last death, or since these workers were made."""
        before, self._num_oom_kills = self._num_oom_kills, oom.num_kills()
        return self._num_oom_kills > before

    def _outcome(self, member: Member, message: Message) -> Outcome:
        fields = dict(message.fields)
        time_ns = fields.get("time_ns", time.monotonic_ns())
        count = fields["num_collectives"]
        kind = cast(OutcomeKind, message.kind)
        return Outcome(member.number, kind, time_ns, self._place(member), message.payload, fields, count)

    # Ending

    def _end_of_rank(self, job: Job, member: Member, outcome: Outcome) -> None:
        member.run = None
        job.outcomes[member.number] = outcome
        values = {"text": outcome.head()} if outcome.kind != "answered" else {}
        self._note(job, member.number, f"rank.{outcome.kind}", outcome.time_ns, **values)
        if outcome.is_failure and not job.stopped_for:
            self._stop(job, "failure")
        if len(job.outcomes) == len(job.run.ranks):
            self._running.remove(job)
            self._conclude(job)
            self.advance()

    def interrupt(self, run: Run) -> None:
        """Stop a run for the user; a second time, kill it."""
        job = next((job for job in self.jobs if job.run is run), None)
        if job is None or job in self._waiting:
            self._waiting = [other for other in self._waiting if other is not job]
            if not run.done:
                self._close(run, "interrupted", f"call {run.call} ({run.name}) was interrupted before it began.")
        elif job.stopped_for == "interrupt":
            job.pressed_again, job.kill_at = True, time.monotonic()
        else:
            self._stop(job, "interrupt")

    def _stop(self, job: Job, why: str) -> None:
        job.stopped_for = job.stopped_for or why
        for member in self._busy(job):
            if why == "timeout":
                member.signal(signal.SIGUSR1)
            member.interrupt(job.run.call)
        self._note(job, None, "call.interrupt", why=why)
        job.kill_at = time.monotonic() + self.group.settings.grace_s

    def _kill(self, job: Job, now: float) -> None:
        grace = f"killed: it did not take the interrupt within {self.group.settings.grace_s:g} s"
        why = "killed: interrupted twice" if job.pressed_again else grace
        job.kill_at = now + KILL_LIMIT_S
        for member in self._busy(job):
            if member.death_by is not None:
                continue  # over by itself; the zygote has yet to say how
            if member.killed:
                self.group.bury(member, None, "could not be killed; it was left behind")
                continue
            member.killed = why
            member.signal(signal.SIGKILL)
            if member.pidfd is None:
                self.group.bury(member, None)

    def tick(self, now: float) -> None:
        """What is due: kills after the grace, runs whose ranks give no sign."""
        for job in list(self._running):
            if job.kill_at is not None:
                if now >= job.kill_at:
                    self._kill(job, now)
            elif now - job.last_sign > self._silence_limit(job):
                self._stop(job, "timeout")

    def next_deadline(self) -> float | None:
        times = [job.kill_at or job.last_sign + self._silence_limit(job) for job in self._running]
        return min(times, default=None)

    def _silence_limit(self, job: Job) -> float:
        """A little above the timeout, so that ranks that wait for each other report it themselves first."""
        limit = self.group.settings.timeout_s + SILENCE_MARGIN_S
        starting = any(not self.group.members[rank].ready for rank in job.run.ranks)
        return max(limit, START_LIMIT_S) if starting else limit

    def _conclude(self, job: Job) -> None:
        outcomes = [job.outcomes[rank] for rank in sorted(job.outcomes)]
        self.group.broken |= conclusion.out_of_step(outcomes, len(self.group.members))
        run = job.run
        limit = self._silence_limit(job)
        ending = conclusion.Ending(run.call, run.name, run.seconds, job.stopped_for, limit)
        status, text = conclusion.draw(ending, outcomes)
        self._close(job.run, status, text, outcomes)

    def _close(self, run: Run, status: Status, text: str, outcomes: Sequence[Outcome] = ()) -> None:
        values = {"status": status, "text": text}
        run._add_event(self._event(run, None, "call.end", time.monotonic_ns(), values))
        run._finish(status, outcomes, text)

    def end(self) -> None:
        """The group is being closed: no run goes on."""
        for job in list(self._waiting):
            self._waiting.remove(job)
            self._close(
                job.run,
                "interrupted",
                f"call {job.run.call} ({job.run.name}) never began: the workers were closed.",
            )
        for job in self._running:
            job.stopped_for = "interrupt"
            for member in self._busy(job):
                member.killed = "killed: the workers were closed"

    # Small things

    def _busy(self, job: Job) -> list[Member]:
        return [self.group.members[rank] for rank in job.run.ranks if rank not in job.outcomes]

    def _job_of(self, member: Member) -> Job | None:
        return next((job for job in self._running if job.run is member.run), None)

    def _place(self, member: Member) -> str:
        return member.place(len(self.group.members))

    def _note(self, job: Job, rank: int | None, kind: str, time_ns: int | None = None, **values: object) -> None:
        run = job.run
        run._add_event(self._event(run, rank, kind, time_ns or time.monotonic_ns(), values))

    def _event(self, run: Run, rank: int | None, kind: str, time_ns: int, values: Mapping[str, object]) -> RunEvent:
        return RunEvent(kind, rank, time_ns, run.call, self.group.generation, values)
