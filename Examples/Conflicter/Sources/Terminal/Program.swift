import CoreData

/// Prints what each merge policy makes of a song that was changed in two contexts.
@main
struct Program {
    static func main() {
        do {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try SongModel.load())
            let place = URL(fileURLWithPath: "/dev/null")
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: place)
            for line in try PolicyReport(coordinator: coordinator).lines() { print(line) }
        } catch {
            FileHandle.standardError.write(Data("conflicter: \(error)\n".utf8))
            exit(1)
        }
    }
}
