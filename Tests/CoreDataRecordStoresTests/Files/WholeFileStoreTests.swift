import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataRecordStores

/// Stores of one file, whatever its form.
@Suite(.timeLimit(.minutes(10))) struct WholeFileStoreTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Test.store") }

    init() throws { folder = try TemporaryFolder() }

    @Test("values of every type come back to the bit (STO-02, STO-04)", arguments: StoreKind.wholeFiles)
    func valuesComeBack(_ kind: StoreKind) throws {
        let values: [[String: Any]] = [
            ["text": "", "real": -0.0, "date": Date(timeIntervalSinceReferenceDate: 0.1), "data": Data()],
            [
                "text": " \u{0}\u{1}\u{FFFE}<&>\"'\r\n\t]]> ", "real": Double.infinity,
                "single": Float.greatestFiniteMagnitude,
            ],
            ["text": "a\r\nb", "real": -Double.infinity, "date": Date(timeIntervalSinceReferenceDate: 445_103_622.25)],
            [
                "text": "\u{0}", "real": Double.leastNonzeroMagnitude,
                "date": Date(timeIntervalSinceReferenceDate: -1e-300),
            ],
            [
                "flag": true, "small": Int16.min, "middle": Int32.min, "large": Int64.min,
                "price": NSDecimalNumber(string: "-1234567890123456789.0123456789012345678"),
                "uuid": UUID(), "link": URL(string: "https://example.org/a?b=c&d=%20")!,
                "form": NSArray(array: [1, "x"]),
                "data": Data((0...255).map { UInt8($0) }),
            ],
            ["flag": false, "large": Int64.max, "price": NSDecimalNumber.zero, "real": Double.nan],
        ]
        let stack = try Stack(FileStoreModel.make(), url: url, kind: kind)
        let made = values.enumerated().map { number, values in
            stack.context.insert("Special", values.merging(["note": "\(number)"]) { $1 })
        }
        try stack.context.save()
        let uris = made.map { $0.objectID.uriRepresentation() }
        let opened = try stack.reopened()
        for (number, uri) in uris.enumerated() {
            let id = try #require(opened.coordinator.managedObjectID(forURIRepresentation: uri))
            let object = try opened.context.existingObject(with: id)
            #expect(object.value(forKey: "note") as? String == "\(number)")
            for key in object.entity.attributesByName.keys where key != "note" {
                let (wanted, found) = (values[number][key], object.value(forKey: key))
                if let real = wanted as? Double {
                    #expect((found as? Double)?.bitPattern == real.bitPattern, "\(key)")
                } else if let date = wanted as? Date {
                    let bits = (found as? Date)?.timeIntervalSinceReferenceDate.bitPattern
                    #expect(bits == date.timeIntervalSinceReferenceDate.bitPattern)
                } else {
                    #expect(found as? NSObject == wanted as? NSObject, "\(key)")
                }
            }
        }
    }

    @Test("order, inheritance and links survive edits and reopening (STO-02, STO-04)", arguments: StoreKind.wholeFiles)
    func graphComesBack(_ kind: StoreKind) throws {
        var stack = try Stack(FileStoreModel.make(), url: url, kind: kind)
        try FileStoreModel.fill(stack)
        for round in 0..<4 {
            stack = try stack.reopened()
            let things = try stack.context.all("Thing", sortedBy: "large")
            stack.context.delete(things[round % things.count])
            let group = try #require(try stack.context.all("Group").first)
            let ordered = group.mutableOrderedSetValue(forKey: "things")
            ordered.insert(stack.context.insert("Special", ["large": 100 + round]), at: 1)
            things[(round + 1) % things.count].setValue("changed", forKey: "text")
            try stack.context.save()
            let content = try FileStoreModel.content(stack.newContext())
            stack = try stack.reopened()
            #expect(try FileStoreModel.content(stack.context) == content)
        }
    }

    @Test(
        "a file changed by another store is not written over, and nothing is lost (STO-02)",
        arguments: StoreKind.wholeFiles)
    func secondWriterIsNoticed(_ kind: StoreKind) throws {
        let model = FileStoreModel.make()
        let first = try Stack(model, url: url, kind: kind)
        try FileStoreModel.fill(first)
        let second = try Stack(model, url: url, kind: kind)
        second.context.insert("Group", ["name": "theirs"])
        try second.context.save()
        let bytes = try Data(contentsOf: url)
        let mine = first.context.insert("Group", ["name": "mine"])
        expectError(NSPersistentStoreSaveConflictsError) { try first.context.save() }
        #expect(try Data(contentsOf: url) == bytes && mine.isInserted && first.context.hasChanges)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
        try first.coordinator.remove(first.store)
        try first.coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        first.context.assign(mine, to: first.store)
        try first.context.save()
        let names = try first.newContext().all("Group").compactMap { $0.value(forKey: "name") as? String }
        #expect(names.sorted() == ["Group", "mine", "theirs"])
    }

    @Test("a copy of the same bytes and a touched file are the same file (STO-02)", arguments: StoreKind.wholeFiles)
    func sameBytesAreNotConflict(_ kind: StoreKind) throws {
        let stack = try Stack(FileStoreModel.make(), url: url, kind: kind)
        try FileStoreModel.fill(stack)
        try Data(contentsOf: url).write(to: url, options: .atomic)
        stack.context.insert("Group", ["name": "later"])
        try stack.context.save()
        #expect(try stack.reopened().context.all("Group").count == 2)
    }

    @Test("whichever call fails, the old or the new state is whole (STO-02)", arguments: StoreKind.wholeFiles)
    func everyFailureLeavesAWholeFile(_ kind: StoreKind) throws {
        let model = FileStoreModel.make()
        try FileStoreModel.fill(try Stack(model, url: url, kind: kind))
        var wasSaved = false
        var failures = 0
        for number in 0..<60 where !wasSaved {
            let counter = CallCounter(failing: number)
            let stack = try Stack(
                model, url: url, kind: kind, options: [RecordFileOperationsOption: counter.operations])
            let before = try FileStoreModel.content(stack.context)
            let group = stack.context.insert("Group", ["name": "new"])
            counter.isArmed = true
            do {
                try stack.context.save()
                wasSaved = counter.calls <= number
                if !wasSaved { break }
            } catch {
                failures += 1
                #expect(group.isInserted)
                #expect(try FileStoreModel.content(try Stack(model, url: url, kind: kind).context) == before)
                counter.isArmed = false
                try stack.context.save()
                stack.context.delete(group)
                try stack.context.save()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Test.store"])
        }
        #expect(failures >= 5)
    }

    @Test("links to the file and its mode stay (STO-02)", arguments: StoreKind.wholeFiles)
    func linkAndModeStay(_ kind: StoreKind) throws {
        let stack = try Stack(FileStoreModel.make(), url: url, kind: kind)
        try FileStoreModel.fill(stack)
        try stack.coordinator.remove(stack.store)
        #expect(chmod(url.path, 0o600) == 0)
        let link = folder.url.appendingPathComponent("Link.store")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let linked = try Stack(FileStoreModel.make(), url: link, kind: kind)
        linked.context.insert("Group", ["name": "x"])
        try linked.context.save()
        var status = stat()
        #expect(lstat(link.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(url.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try Stack(FileStoreModel.make(), url: url, kind: kind).context.all("Group").count == 2)
    }

    @Test("metadata is read and set without opening, and keys of others stay (STO-12)", arguments: StoreKind.wholeFiles)
    func metadataWithoutOpening(_ kind: StoreKind) throws {
        let stack = try Stack(FileStoreModel.make(), url: url, kind: kind)
        try FileStoreModel.fill(stack)
        stack.coordinator.setMetadata(["mine": ["a", 1] as [Any]], for: stack.store)
        try stack.context.save()
        let content = try FileStoreModel.content(stack.context)
        let identifier = stack.store.identifier
        try stack.coordinator.remove(stack.store)
        typealias Coordinator = NSPersistentStoreCoordinator
        var metadata = try Coordinator.metadataForPersistentStore(ofType: kind.type, at: url)
        #expect(metadata[NSStoreTypeKey] as? String == kind.type)
        #expect(metadata[NSStoreUUIDKey] as? String == identifier)
        #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.count == 3)
        metadata["other"] = "x"
        metadata[NSStoreUUIDKey] = nil
        try Coordinator.setMetadata(metadata, forPersistentStoreOfType: kind.type, at: url)
        let opened = try Stack(FileStoreModel.make(), url: url, kind: kind)
        #expect(opened.store.metadata["other"] as? String == "x" && opened.store.identifier == identifier)
        #expect((opened.store.metadata["mine"] as? [Any])?.count == 2)
        #expect(try FileStoreModel.content(opened.context) == content)
    }

    @Test(
        "a store asked for a history is opened, keeps none and says so (STO-02, STO-04)",
        arguments: StoreKind.wholeFiles
    )
    func noHistory(_ kind: StoreKind) throws {
        let stack = try Stack(
            FileStoreModel.make(), url: url, kind: kind, options: [NSPersistentHistoryTrackingKey: true])
        #expect(stack.store.objects?.history == nil && stack.store.objects?.reasonForNoHistory != nil)
    }

    @Test("replacing and destroying (STO-28)", arguments: StoreKind.wholeFiles)
    func replaceAndDestroy(_ kind: StoreKind) throws {
        let other = folder.url.appendingPathComponent("Other.store")
        let (stack, source) = (
            try Stack(FileStoreModel.make(), url: url, kind: kind),
            try Stack(FileStoreModel.make(), url: other, kind: kind)
        )
        try FileStoreModel.fill(source)
        let content = try FileStoreModel.content(source.context)
        let coordinator = stack.coordinator
        try coordinator.remove(stack.store)
        try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other, ofType: kind.type)
        #expect(try FileStoreModel.content(try Stack(FileStoreModel.make(), url: url, kind: kind).context) == content)
        try coordinator.destroyPersistentStore(at: url, ofType: kind.type)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("an inferred migration of a file (STO-02, STO-04)", arguments: StoreKind.wholeFiles)
    func inferredMigration(_ kind: StoreKind) throws {
        let old = FileStoreModel.make()
        let stack = try Stack(old, url: url, kind: kind)
        try FileStoreModel.fill(stack, count: 1_200)
        let content = try FileStoreModel.content(stack.context)
        try stack.coordinator.remove(stack.store)
        let place = folder.url.appendingPathComponent("Old.mom")
        try old.compiledData().write(to: place)
        expectError(NSPersistentStoreIncompatibleVersionHashError) {
            try Stack(FileStoreModel.make(adding: "color"), url: url, kind: kind)
        }
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            CoreDataMigrationResourcesOption: [place],
        ]
        let migrated = try Stack(FileStoreModel.make(adding: "color"), url: url, kind: kind, options: options)
        #expect(try FileStoreModel.content(migrated.context) == content)
    }
}
