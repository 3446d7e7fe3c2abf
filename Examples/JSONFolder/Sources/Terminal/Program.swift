import CoreData

/// Adds notes to a folder of JSON files, lists them, and says what somebody changed by hand.
@main
struct Program {
    static func main() {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            guard words.count >= 2 else { throw Usage() }
            JSONFolderStore.register()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NoteModel.make())
            let store = try coordinator.addPersistentStore(
                ofType: JSONFolderStore.storeType, configurationName: nil, at: URL(fileURLWithPath: words[0]))
            let context = NSManagedObjectContext(.mainQueue)
            context.persistentStoreCoordinator = coordinator
            switch words[1] {
            case "add":
                for title in words.dropFirst(2) {
                    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                    note.setValue(title, forKey: "title")
                }
                try context.save()
            case "list":
                let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                for note in try context.fetch(request) { print(note.value(forKey: "title") as? String ?? "") }
            case "watch":
                guard let folder = store as? JSONFolderStore else { return }
                let watch = FolderWatch(folder, contexts: [context])
                while true {
                    for name in watch.look() { print(name) }
                    Thread.sleep(forTimeInterval: 0.5)
                }
            default: throw Usage()
            }
        } catch {
            FileHandle.standardError.write(Data("jsonfolder: \(error)\n".utf8))
            exit(1)
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "jsonfolder FOLDER add TITLE… | list | watch"
    }
}
