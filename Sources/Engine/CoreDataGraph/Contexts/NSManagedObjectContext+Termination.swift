import CoreDataStore

extension NSManagedObjectContext {
    /// Whether unsaved changes are saved when the process is requested to end; false at first. Not in Apple's framework.
    ///
    /// The requests are SIGTERM, Ctrl-C (SIGINT), the closing of the terminal (SIGHUP), and `exit`. A signal that the
    /// program handles or ignores is left to it. After the saves the process ends
    /// as usual. An error of a save is written to standard error. The main queue's context is saved if the main
    /// queue is served within `terminationSaveLimit`. Contexts in which something is being edited are best left out.
    /// May be set from any thread, again to false too.
    public var savesOnTermination: Bool {
        get { TerminationSaves.shared.includes(self) }
        set { if newValue { TerminationSaves.shared.add(self) } else { TerminationSaves.shared.remove(self) } }
    }

    /// How many seconds all saves at the end of the process may take together; 5 at first.
    ///
    /// After that the process ends, and what was not saved is as it was before the save.
    public static var terminationSaveLimit: TimeInterval {
        get { TerminationSaves.shared.limit }
        set { TerminationSaves.shared.limit = newValue }
    }
}
