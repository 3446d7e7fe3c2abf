import CoreDataStore

extension NSManagedObjectContext {
    /// Whether unsaved changes are saved when the process is asked to end; false by default. Not in Apple's framework.
    ///
    /// This happens at SIGTERM, Ctrl-C (SIGINT), the closing of the terminal (SIGHUP), and `exit`; not at a signal that
    /// the program handles or ignores itself. After the saves the process ends as usual. Errors of the saves are
    /// written to standard error. The main queue's context is saved only if the main queue runs blocks within
    /// `terminationSaveLimit`. Contexts with half-finished edits are best left out. May be set to true and to false
    /// from any thread.
    public var savesOnTermination: Bool {
        get { TerminationSaves.shared.includes(self) }
        set { if newValue { TerminationSaves.shared.add(self) } else { TerminationSaves.shared.remove(self) } }
    }

    /// How many seconds all saves at the end of the process may take together; 5 by default.
    ///
    /// After that time the process ends, and the stores of unfinished saves are as they were before.
    public static var terminationSaveLimit: TimeInterval {
        get { TerminationSaves.shared.limit }
        set { TerminationSaves.shared.limit = newValue }
    }
}
