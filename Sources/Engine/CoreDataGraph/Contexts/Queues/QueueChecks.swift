import CoreDataStore

/// Finding uses of contexts and objects off their queues.
extension NSManagedObjectContext {
    /// Stops the process when misuse is to be found and the caller is off the context's queue.
    @inline(__always) func checkQueue(_ member: StaticString = #function) {
        guard let watch = queue.watch else { return }
        watch.see("\(member) of the context", of: self)
    }

    /// What messages call the context: its name or address, and its queue.
    fileprivate var designation: String {
        let address = "0x" + String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        let title = name.map { "'\($0)' (\(address))" } ?? address
        return "context \(title), whose queue is '\(queue.label)'"
    }
}

extension NSManagedObject {
    /// Stops the process when the object is used off its context's queue; called where the object is `.guarded`.
    @inline(never) func checkQueue(_ member: String) {
        guard let context = registry?.context, let watch = context.queue.watch else { return }
        watch.see("\(member) of an object of entity '\(entity.name ?? "")'", of: context)
    }

    /// The flags, for a member of the public interface that asks for one of them.
    @inline(__always) func checkedFlags(_ member: StaticString = #function) -> ObjectFlags {
        if flags.contains(.guarded) { checkQueue("\(member)") }
        return flags
    }
}

extension QueueWatch {
    /// Remembers a use on the queue; stops the process for one off it.
    fileprivate func see(_ what: String, of context: NSManagedObjectContext) {
        guard !context.queue.isCurrent else { return note(what) }
        stop(
            "CoreData: error: Illegal use off its queue: \(what), from \(ObservedUse.placeOfCaller), in \(context.designation)."
                + " Use it inside perform or performAndWait, and pass identifiers between queues.\n"
                + "Used here by:\n\(ObservedUse(what).stack)\n\(history)")
    }
}
