import CFaultVFS
import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// Whatever is wrong with the file of the index, the store can be read and written, and answers are right.
@Suite struct SearchFaultTests {
    private func filled() throws -> SearchScene {
        let scene = try SearchScene()
        for number in 0..<20 { scene.note("Title \(number) abc", "Body \(number)") }
        try scene.context.save()
        return scene
    }

    /// Expects a store to be used as ever, and the index to be there again when it has been opened anew.
    private func expectRecovery(_ scene: SearchScene, _ key: Int64 = 21) throws {
        scene.note("a later one")
        try scene.context.save()
        #expect(try scene.keys("title CONTAINS 'later one'") == [key])
        #expect(try scene.keys("title CONTAINS[cd] 'TITLE 7'") == [8])
        try scene.reopen()
        #expect(try scene.usesIndex())
        #expect(try scene.keys("title CONTAINS 'later one'") == [key])
        #expect(try scene.entries() == key)
    }

    private func alter(_ scene: SearchScene, _ statements: String...) throws {
        let connection = try Connection.open(scene.sidePath)
        defer { connection.close() }
        for statement in statements { try connection.execute(statement) }
    }

    @Test(
        "a file that is not an index is replaced by a new one",
        arguments: [
            Data(), Data("no database".utf8), Data(repeating: 7, count: 100_000),
            Data("SQLite format 3\u{0}".utf8) + Data(repeating: 255, count: 8_000),
        ])
    func fileThatIsNotAnIndex(bytes: Data) throws {
        let scene = try filled()
        try scene.close()
        try bytes.write(to: URL(fileURLWithPath: scene.sidePath))
        try scene.reopen(options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try scene.keys("title CONTAINS[cd] 'TITLE 7'") == [8])
        try scene.reopen(options: [:])
        #expect(try scene.usesIndex())
        try expectRecovery(scene)
    }

    @Test func fileOfAnotherSchemaIsMadeAnew() throws {
        let trigger =
            "CREATE TRIGGER hostile AFTER INSERT ON text0 BEGIN DELETE FROM text0; SELECT load_extension('x'); END"
        for statements in [
            [trigger], ["CREATE TABLE ZNOTE (a)"], ["DROP TABLE words0"], ["UPDATE state SET store = 'x'"],
        ] {
            let scene = try filled()
            try scene.close()
            for statement in statements { try alter(scene, statement) }
            try scene.reopen()
            #expect(try scene.usesIndex(), "\(statements)")
            try expectRecovery(scene)
        }
    }

    @Test func folderInThePlaceOfTheIndexSwitchesItOff() throws {
        let scene = try filled()
        try scene.close()
        SearchLayout.removeFiles(ofStore: scene.url.path)
        try FileManager.default.createDirectory(atPath: scene.sidePath, withIntermediateDirectories: false)
        try scene.reopen()
        let problems = scene.stack.file.problems
        #expect(problems.contains { $0.contains("search index") }, "\(problems)")
        #expect(try !scene.usesIndex())
        try FileManager.default.removeItem(atPath: scene.sidePath)
        try expectRecovery(scene)
    }

    @Test func removedFileIsMadeAnew() throws {
        let scene = try filled()
        SearchLayout.removeFiles(ofStore: scene.url.path)
        #expect(try scene.keys("title CONTAINS[cd] 'TITLE 7'") == [8])
        try expectRecovery(scene)
    }

    @Test func damagedPagesSwitchTheIndexOff() throws {
        let scene = try filled()
        for _ in 0..<300 { scene.note(String(repeating: "some more text ", count: 20)) }
        try scene.context.save()
        try scene.close()
        let handle = try #require(FileHandle(forUpdatingAtPath: scene.sidePath))
        let size = try handle.seekToEnd()
        // All but the schema and the record, which would have it made anew.
        for page in 8..<size / 4096 {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        }
        try handle.close()
        try scene.reopen()
        let long = NSPredicate(format: "title CONTAINS[cd] 'SOME MORE'")
        #expect(try SearchScene.keys(scene.context, long).count == 300)
        #expect(try scene.keys("title CONTAINS[cd] 'TITLE 7'") == [8])
        scene.note("a later one")
        try scene.context.save()
        #expect(try scene.keys("title CONTAINS 'later one'") == [321])
        #expect(scene.stack.file.problems.contains { $0.contains("search index") })
        try scene.reopen()
        #expect(try scene.usesIndex())
        #expect(try SearchScene.keys(scene.context, long).count == 300)
    }

    /// As after a crash between the two commits, whichever is lost.
    @Test(arguments: [true, false])
    func statesThatDoNotBelongTogetherAreCompared(isStoreOlder: Bool) throws {
        let scene = try filled()
        try scene.close()
        let path = isStoreOlder ? scene.url.path : scene.sidePath
        let kept = path + ".kept"
        try FileManager.default.copyItem(atPath: path, toPath: kept)
        try scene.reopen()
        scene.note("lost or not")
        let note = try #require(try scene.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
        note.setValue("changed", forKey: "title")
        try scene.context.save()
        try scene.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: kept, toPath: path)
        try scene.reopen()
        #expect(try scene.usesIndex())
        #expect(try scene.keys("title CONTAINS 'lost or'") == (isStoreOlder ? [] : [21]))
        #expect(try scene.keys("title CONTAINS 'changed'").count == (isStoreOlder ? 0 : 1))
        #expect(try scene.keys("title CONTAINS '%'").isEmpty)
        #expect(try scene.entries() == (isStoreOlder ? 20 : 21))
    }

    @Test func lockedFileDelaysNoSave() throws {
        let scene = try filled()
        let other = try Connection.open(scene.sidePath)
        try other.begin(.immediate)
        scene.note("while it is locked")
        try scene.context.save()
        #expect(try scene.keys("title CONTAINS 'is locked'") == [21])
        #expect(scene.stack.file.problems.isEmpty)
        try other.rollBack()
        other.close()
        try expectRecovery(scene, 22)
    }

    @Test func destroyedStoreTakesTheIndexAlong() throws {
        let scene = try filled()
        try scene.close()
        try scene.stack.coordinator.destroyPersistentStore(at: scene.url, ofType: NSSQLiteStoreType, options: nil)
        #expect(!FileManager.default.fileExists(atPath: scene.sidePath))
    }
}

extension FailingFileTests {
    @Test(
        "whichever call fails, with an index a save succeeds or throws, and answers are right (HAZ-38)",
        arguments: [(FAULT_WRITE, 13), (FAULT_WRITE, 10 | 3 << 8), (FAULT_SYNC, 10 | 4 << 8), (FAULT_LOCK, 5)])
    func eachCallOfASaveWithAnIndex(calls: Int, code: Int) throws {
        fault_vfs_register()
        let options: [AnyHashable: Any] = [
            SQLiteStoreFileSystemOption: FAULT_VFS_NAME, NSPersistentStoreTimeoutOption: 0,
        ]
        let scene = try SearchScene(options: options)
        for number in 0..<5 { scene.note("Title \(number)") }
        try scene.context.save()
        var (saves, faults) = (0, 0)
        for number in 1...400 {
            scene.note("Number \(number) end")
            fault_vfs_arm(Int32(calls), Int64(number), Int32(code), 0)
            let isSaved = (try? scene.context.save()) != nil
            let hasFailed = fault_vfs_disarm() != 0
            scene.context.reset()
            let predicate = try NSPredicate(parsing: "title CONTAINS[cd] %@", arguments: ["number \(number) end"])
            #expect(try SearchScene.keys(scene.context, predicate).count == (isSaved ? 1 : 0), "\(number)")
            saves += isSaved ? 1 : 0
            faults += hasFailed ? 1 : 0
            guard hasFailed else { break }
            try scene.reopen()
            #expect(try scene.usesIndex(predicate), "\(number)")
            #expect(try SearchScene.keys(scene.context, predicate).count == (isSaved ? 1 : 0), "\(number)")
        }
        #expect(saves > 0 && faults > 0)
        try scene.close()
    }
}
