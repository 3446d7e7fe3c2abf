import CoreDataStore

/// Checks that contexts and objects are used on their queues.
extension NSManagedObjectContext {
    /// Stops the process if contexts check their queues and the caller is not on this context's queue.
    @inline(__always) func checkQueue(_ member: StaticString = #function) {
        guard let watch = queue.watch else { return }
        watch.see("\(member) of the context", of: self)
    }

    /// The context in messages: its name and address, and its queue.
    fileprivate var designation: String {
        let address = "0x" + String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        let title = name.map { "'\($0)' (\(address))" } ?? address
        return "context \(title), whose queue is '\(queue.label)'"
    }
}

extension NSManagedObject {
    /// Stops the process if the object is used outside of its context's queue; called for objects with the flag
    /// `.guarded`.
    @inline(never) func checkQueue(_ member: String) {
        guard let context = registry?.context, let watch = context.queue.watch else { return }
        watch.see("\(member) of an object of entity '\(entity.name ?? "")'", of: context)
    }

    /// The flags; called by a public member that reads one of them, after checking the queue.
    @inline(__always) func checkedFlags(_ member: StaticString = #function) -> ObjectFlags {
        if flags.contains(.guarded) { checkQueue("\(member)") }
        return flags
    }
}

extension QueueWatch {
    /// Records a use on the queue; stops the process for a use outside of it.
    fileprivate func see(_ what: String, of context: NSManagedObjectContext) {
        guard !context.queue.isCurrent else { return note(what) }
        stop(
            "CoreData: error: Illegal use off its queue: \(what), from \(ObservedUse.placeOfCaller), in \(context.designation)."
                + " Use it inside perform or performAndWait, and pass identifiers between queues.\n"
                + "Used here by:\n\(ObservedUse(what).stack)\n\(history)")
    }
}
