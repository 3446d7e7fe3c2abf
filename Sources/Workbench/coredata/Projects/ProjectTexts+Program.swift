/// The files of a new project with the list and the command line.
extension ProjectTexts {
    static let list = #"""
        import CoreData

        /// The list of the template: the moments at which somebody asked for one, newest first.
        public final class EventList: NSFetchedResultsControllerDelegate {
            private let context: NSManagedObjectContext
            private var fetchedResultsController: NSFetchedResultsController<Event>
            /// What the list was told, in order: `will`, `insert 0.0`, `did`.
            public private(set) var messages: [String] = []

            /// Whether the oldest moment comes first.
            public private(set) var isAscending = false

            /// Fetches the list.
            ///
            /// - Throws: what `performFetch()` throws.
            public init(context: NSManagedObjectContext) throws {
                self.context = context
                fetchedResultsController = Self.controller(context, ascending: false)
                try adopt(fetchedResultsController)
            }

            private static func controller(
                _ context: NSManagedObjectContext, ascending: Bool
            ) -> NSFetchedResultsController<Event> {
                let fetchRequest: NSFetchRequest<Event> = Event.fetchRequest()
                fetchRequest.fetchBatchSize = 20
                fetchRequest.sortDescriptors = [NSSortDescriptor(keyPath: \Event.timeStamp, ascending: ascending)]
                return NSFetchedResultsController(
                    fetchRequest: fetchRequest, managedObjectContext: context, sectionNameKeyPath: nil,
                    cacheName: ascending ? "Root" : "Master")
            }

            private func adopt(_ controller: NSFetchedResultsController<Event>) throws {
                fetchedResultsController.delegate = nil
                controller.delegate = self
                fetchedResultsController = controller
                try controller.performFetch()
            }

            /// Turns the order round, with a controller of its own.
            ///
            /// - Throws: what `performFetch()` throws.
            public func flip() throws {
                isAscending.toggle()
                try adopt(Self.controller(context, ascending: isAscending))
            }

            /// The rows as texts.
            public var rows: [String] { (0..<count).compactMap { row(at: IndexPath(row: $0, section: 0)) } }

            public var count: Int { fetchedResultsController.sections?[0].numberOfObjects ?? 0 }

            /// What a row shows, and its detail.
            public func row(at indexPath: IndexPath) -> String? {
                fetchedResultsController.object(at: indexPath).timeStamp?.formatted(.iso8601)
            }

            /// Adds a moment and saves.
            ///
            /// - Throws: what `save()` throws; the moment is taken back then.
            public func insertNewObject(_ moment: Date = Date()) throws {
                let newEvent = Event(context: context)
                newEvent.timeStamp = moment
                try save()
            }

            /// Deletes a row and saves.
            ///
            /// - Throws: what `save()` throws; the row stays then.
            public func delete(at indexPath: IndexPath) throws {
                context.delete(fetchedResultsController.object(at: indexPath))
                try save()
            }

            private func save() throws {
                do {
                    try context.save()
                } catch {
                    let nserror = error as NSError
                    print("Unresolved error \(nserror), \(nserror.userInfo)")
                    context.rollback()
                    throw error
                }
            }

            // MARK: NSFetchedResultsControllerDelegate

            public func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                messages.append("will")
            }

            public func controller(
                _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
                at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
            ) {
                func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.row)" } ?? "-" }
                switch type {
                case .insert: messages.append("insert \(text(newIndexPath))")
                case .delete: messages.append("delete \(text(indexPath))")
                case .update: messages.append("update \(text(indexPath))")
                case .move: messages.append("move \(text(indexPath)) \(text(newIndexPath))")
                @unknown default: messages.append("?")
                }
            }

            public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                messages.append("did")
            }
        }

        """#

    static let program = #"""
        import CoreData

        /// The command line of the template.
        @main
        struct Program {
            private static let usage = """
                usage: «product» STORE add          adds the present moment
                       «product» STORE list         lists the moments, newest first
                       «product» STORE flip         lists them oldest first
                       «product» STORE delete ROW   deletes a row of the list, counted from 0
        «serveUsage»        """

            static func main() {
                do {
                    try run(Array(CommandLine.arguments.dropFirst()))
                } catch {
                    FileHandle.standardError.write(Data("«product»: \(error)\n".utf8))
                    exit(1)
                }
            }

            private static func run(_ arguments: [String]) throws {
                guard arguments.count >= 2 else { throw Complaint(usage) }
                let stack = try PersistenceController(at: URL(fileURLWithPath: arguments[0]))
                let list = try EventList(context: stack.container.viewContext)
                switch (arguments[1], arguments.count) {
                case ("add", 2): try list.insertNewObject()
                case ("list", 2): break
                case ("flip", 2): try list.flip()
        «serveCase»        case ("delete", 3):
                    guard let row = Int(arguments[2]), (0..<list.count).contains(row) else {
                        throw Complaint("there is no row \(arguments[2]) of \(list.count)")
                    }
                    try list.delete(at: IndexPath(row: row, section: 0))
                default: throw Complaint(usage)
                }
                for row in list.rows { print(row) }
            }

            private struct Complaint: Error, CustomStringConvertible {
                let description: String
                init(_ description: String) { self.description = description }
            }
        }

        """#
}
