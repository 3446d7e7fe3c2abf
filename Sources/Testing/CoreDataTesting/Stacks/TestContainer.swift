import CoreData
import Synchronization

/// A container that knows the contexts which it has made, without retaining them.
final class TestContainer: NSPersistentContainer, @unchecked Sendable {
    private struct Entry {
        weak var context: NSManagedObjectContext?
        let name: String
    }

    private let made = Mutex<[Entry]>([])

    override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        note(context, "newBackgroundContext()")
        return context
    }

    /// Adds a context to those that `contexts` lists, unless it is there.
    func note(_ context: NSManagedObjectContext, _ name: String) {
        made.withLock { entries in
            entries.removeAll { $0.context == nil }
            if !entries.contains(where: { $0.context === context }) {
                entries.append(Entry(context: context, name: name))
            }
        }
    }

    /// The living contexts with their names in messages; those of `viewContext` and the test's own are among them.
    var contexts: [(context: NSManagedObjectContext, name: String)] {
        made.withLock { entries in
            entries.compactMap { entry in
                entry.context.map { context in (context, context.name ?? entry.name) }
            }
        }
    }
}
