//! Tells the observer of a launch, if there is one, about a cluster.

use super::Journal;
use crate::events::{Begun, Event, Recorder, Subject, Task, Work};
use crate::machine::device::Machine;
use crate::machine::scene::Scene;
use crate::machine::wait::Wait;

/// The waits of a warp's lanes that the observer knows of, each with its instruction.
pub(crate) type KnownWaits = [Option<(Wait, u32)>; 32];

/// The recorder of a cluster, and the waits that it knows of.
pub(super) struct Watch {
    recorder: Box<dyn Recorder>,
    /// By warp.
    known: Vec<KnownWaits>,
    /// The data of the next operation that is issued.
    subject: Subject,
}

impl Watch {
    pub(super) fn new(machine: &Machine<'_>, number: u32) -> Option<Box<Self>> {
        let observer = &machine.launch.watcher.as_ref()?.0;
        let blocks = machine.cluster_blocks();
        let begun = Begun {
            number,
            blocks: (0..blocks).map(|rank| machine.block_id(number, rank).position).collect(),
            warps: machine.warps(),
            sites: &machine.kernel.sites,
        };
        let recorder = observer.cluster(&begun)?;
        let known = vec![[None; 32]; (blocks * machine.warps()) as usize];
        Some(Box::new(Watch { recorder, known, subject: Subject::default() }))
    }
}

impl<'m> Journal<'m> {
    /// Tells the observer, if there is one.
    #[inline]
    pub(crate) fn tell(&mut self, event: impl FnOnce(&Scene<'m>) -> Event) {
        if let Some(watch) = &mut self.watch {
            watch.recorder.note(self.steps, &event(&self.scene));
        }
    }

    /// Lends the waits that the observer knows of, by warp, and a function that tells it of events.
    #[inline]
    pub(crate) fn lend_watch(&mut self, see: impl FnOnce(&mut [KnownWaits], &mut dyn FnMut(Event))) {
        if let Some(watch) = &mut self.watch {
            let (steps, recorder) = (self.steps, &mut watch.recorder);
            see(&mut watch.known, &mut |event| recorder.note(steps, &event));
        }
    }

    /// Tells that a thread has issued an operation.
    #[inline]
    pub(crate) fn tell_issue(
        &mut self,
        (thread, site): (u32, u32),
        task: Task,
        work: Work,
        bytes: u64,
        barrier: Option<usize>,
    ) {
        let subject = self.watch.as_mut().map(|watch| std::mem::take(&mut watch.subject));
        let subject = Box::new(subject.unwrap_or_default());
        self.tell(|scene| {
            let act = scene.act_of(thread, site);
            Event::Issues { act, task, work, requests: 1, bytes, barrier, subject }
        });
    }

    /// Notes the data of the next operation that is issued, if there is an observer.
    #[inline]
    pub(crate) fn about(&mut self, subject: impl FnOnce(&Scene<'m>) -> Subject) {
        if let Some(watch) = &mut self.watch {
            watch.subject = subject(&self.scene);
        }
    }

    /// The cluster has ended; `whole` tells whether all its threads have returned.
    pub(crate) fn end_watch(&mut self, whole: bool) {
        if let Some(watch) = self.watch.take() {
            watch.recorder.end(self.steps, whole);
        }
    }
}
