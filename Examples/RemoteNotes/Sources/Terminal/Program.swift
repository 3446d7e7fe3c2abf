import CoreData
import LoopbackService

/// Serves notes, or adds and lists those of a service.
@main
struct Program {
    static func main() {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words == ["demo"] { return try demo() }
            if words == ["serve"] {
                let service = RecordService()
                let server = try HTTPServer { service.answer($0) }
                print("http://127.0.0.1:\(server.port)/notes")
                while true { Thread.sleep(forTimeInterval: 3600) }
            }
            guard words.count >= 2, let url = URL(string: words[0]) else { throw Usage() }
            try run(Array(words.dropFirst()), url)
        } catch {
            FileHandle.standardError.write(Data("remotenotes: \(error)\n".utf8))
            exit(1)
        }
    }

    /// A service and its client in one process.
    private static func demo() throws {
        let service = RecordService()
        let server = try HTTPServer { service.answer($0) }
        defer { server.stop() }
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/notes") else { return }
        try run(["add", "Rome", "Bern"], url)
        try run(["list"], url)
    }

    private static func run(_ words: [String], _ url: URL) throws {
        RemoteStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NoteModel.make())
        try coordinator.addPersistentStore(ofType: RemoteStore.storeType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        switch words[0] {
        case "add":
            for title in words.dropFirst() {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(title, forKey: "title")
            }
            try context.save()
        case "list":
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            for note in try context.fetch(request) { print(note.value(forKey: "title") as? String ?? "") }
        default: throw Usage()
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "remotenotes serve | demo | URL add TITLE… | URL list"
    }
}
