import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What a user without rights to a store or its folder gets; root, whom rights do not bind, acts as another user.
///
/// Each test is a process of its own, as its temporary folder has to be one that the other user can enter.
@Suite("Places that cannot be written")
struct PermissionTests {
    private enum Place: CaseIterable { case file, folder, both }

    @Test("a store in a place that cannot be written is read-only, with or without a log (HAZ-09)")
    func placesThatCannotBeWritten() async {
        await #expect(processExitsWith: .success) {
            try Fixtures.useTemporaryFolderOfAllUsers()
            try PermissionTests.placesThatCannotBeWritten()
        }
    }

    private static func placesThatCannotBeWritten() throws {
        for hasLog in [false, true] {
            for place in Place.allCases {
                let (url, expected) = try Self.store(hasLog: hasLog)
                let folder = url.deletingLastPathComponent().path
                chmod(url.path, place == .folder ? 0o666 : 0o444)
                chmod(url.path + "-wal", place == .folder ? 0o666 : 0o444)
                chmod(folder, place == .file ? 0o777 : 0o555)
                let before = try Data(contentsOf: url)
                for isReadOnly in [false, true] {
                    let survey = try Self.asNobody {
                        Survey(url, writes: true, isReadOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
                    }
                    #expect(survey.error == nil, "\(place) \(hasLog) \(survey.error.map { "\($0)" } ?? "")")
                    #expect(survey.contents == expected, "\(place) \(hasLog)")
                    #expect(survey.isReadOnly, "\(place) \(hasLog)")
                }
                #expect(try Data(contentsOf: url) == before)
                chmod(folder, 0o777)
                try FileManager.default.removeItem(atPath: folder)
            }
        }
    }

    @Test("a file that may not even be read, and a folder where none may be made, are refused clearly (HAZ-09, STO-10)")
    func placesThatCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            try Fixtures.useTemporaryFolderOfAllUsers()
            try PermissionTests.placesThatCannotBeRead()
        }
    }

    private static func placesThatCannotBeRead() throws {
        let (url, _) = try Self.store(hasLog: false)
        chmod(url.path, 0o000)
        let survey = try Self.asNobody { Survey(url) }
        #expect(survey.isClearRefusal, "\(survey.error.map { "\($0)" } ?? "opened")")
        #expect(survey.error?.localizedFailureReason == "permission denied")
        let isPeekedAt = try Self.asNobody {
            (try? NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)) != nil
        }
        #expect(!isPeekedAt)
        chmod(url.deletingLastPathComponent().path, 0o600)
        let hidden = try Self.asNobody { Survey(url, [NSReadOnlyPersistentStoreOption: true]) }
        #expect(hidden.error?.localizedFailureReason == "permission denied", "\(hidden.error.map { "\($0)" } ?? "")")
        let folder = try Fixtures.temporaryFolder()
        chmod(folder.path, 0o555)
        let creation = try Self.asNobody { Survey(folder.appendingPathComponent("new.sqlite")) }
        #expect(creation.isClearRefusal)
        #expect(creation.error?.userInfo[NSUnderlyingErrorKey] is NSError)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    private enum Obstacle: String, CaseIterable {
        /// The folder became read-only, so that there can be no journal.
        case journal
        /// The folder of large values became read-only.
        case largeValues
        /// There is no folder of large values, and none can be made.
        case newFolder
    }

    @Test("a place that turned read-only refuses the save, which is carried out once it is not (HAZ-09)")
    func placeThatTurnedReadOnly() async {
        await #expect(processExitsWith: .success) {
            try Fixtures.useTemporaryFolderOfAllUsers()
            try PermissionTests.placeThatTurnedReadOnly()
        }
    }

    private static func placeThatTurnedReadOnly() throws {
        for obstacle in Obstacle.allCases {
            let builder = ModelBuilder()
            builder.entity("Photo", ["name": .stringAttributeType, "bytes": .binaryDataAttributeType])
            builder.attribute("Photo.bytes").allowsExternalBinaryDataStorage = true
            let folder = try Fixtures.temporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Photos.sqlite"),
                options: [NSSQLitePragmasOption: ["journal_mode": obstacle == .journal ? "delete" : "wal"]])
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            let large = Data(repeating: 1, count: 150_000)
            context.insert("Photo", ["name": "first", "bytes": obstacle == .newFolder ? nil : large])
            try context.save()
            let photo = context.insert("Photo", ["name": "second", "bytes": obstacle == .journal ? nil : large])
            let place = obstacle == .largeValues ? folder.path + "/.Photos_SUPPORT/_EXTERNAL_DATA" : folder.path
            chmod(place, 0o555)
            let error = try Self.asNobody { Self.error { try context.save() } }
            chmod(place, 0o755)
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSFileWriteNoPermissionError, "\(obstacle)")
            #expect(error?.localizedRecoverySuggestion?.isEmpty == false, "\(obstacle)")
            #expect(photo.isInserted && context.hasChanges)
            let other = NSManagedObjectContext(.privateQueue)
            other.persistentStoreCoordinator = coordinator
            #expect(try other.all("Photo").count == 1, "\(obstacle)")
            try context.save()
            #expect(try other.all("Photo").count == 2, "\(obstacle)")
        }
    }

    private static func error(_ body: () throws -> Void) -> NSError? {
        do { try body() } catch { return error as NSError }
        return nil
    }

    private static func store(hasLog: Bool) throws -> (URL, [String]) {
        let source = try SampleStore.make()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: source)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        if hasLog {
            NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue("new", forKey: "word")
            try context.save()
        }
        let url = try Fixtures.temporaryFolder().appendingPathComponent("Books.sqlite")
        for suffix in hasLog ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(atPath: source.path + suffix, toPath: url.path + suffix)
        }
        try coordinator.remove(store)
        return (url, try #require(Survey(source).contents))
    }

    /// Runs a block in a thread whose rights to files are those of `nobody`; the process keeps its own.
    private static func asNobody<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
        guard geteuid() == 0 else { return body() }
        let box = Box<Result>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            for name in ["setfsgid", "setfsuid"] {
                // Glibc's module does not show these two; they act on the calling thread alone.
                guard let symbol = dlsym(nil, name) else { continue }
                _ = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)(65_534)
            }
            box.result = body()
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        done.wait(for: "the thread of another user", within: .seconds(120))
        return try #require(box.result)
    }

    private final class Box<Result>: @unchecked Sendable { var result: Result? }
}
