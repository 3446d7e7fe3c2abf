import CoreData
import Foundation
import SQLiteKit
import SwiftData
import TestBasics
import Testing

/// Options of properties, and kinds of values that are stored in their own way.
@Suite struct AttributeOptionTests {
    private let folder: TemporaryFolder
    private let configuration: ModelConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = ModelConfiguration(url: folder.url.appending(path: "options.store"))
    }

    private func open(_ types: any PersistentModel.Type...) throws -> ModelContext {
        ModelContext(try ModelContainer(for: Schema(types), configurations: configuration))
    }

    private func hashes() throws -> [String: Data] {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: configuration.url)
        return try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
    }

    @Test func originalNameKeepsTheValuesOfRenamedProperties() throws {
        do {
            let context = try open(NotesV1.Note.self)
            let note = NotesV1.Note(text: "kept")
            note.folder = NotesV1.Folder(title: "F")
            context.insert(note)
            try context.save()
        }
        let before = try hashes()
        let context = try open(NotesV2.Note.self)
        let notes = try context.fetch(FetchDescriptor<NotesV2.Note>())
        #expect(notes.map(\.body) == ["kept"] && notes.first?.place?.title == "F")
        let after = try hashes()
        #expect(before["Note"] != after["Note"] && before["Folder"] == after["Folder"])
    }

    @Test func hashModifierChangesTheHashAlone() throws {
        let plain = Schema.Attribute(name: "a", valueType: String.self)
        #expect(plain.hashModifier == nil && plain.originalName == "a")
        let schema = Schema(NotesV2.Note.self)
        let body = try #require(schema.entitiesByName["Note"]?.attributesByName["body"])
        #expect(body.hashModifier == "v2" && body.originalName == "text")
        let place = try #require(schema.entitiesByName["Note"]?.relationshipsByName["place"])
        #expect(place.hashModifier == "v2" && place.originalName == "folder")
    }

    @Test func transformerStoresItsBytes() throws {
        do {
            let context = try open(Parcel.self)
            let parcel = Parcel(number: 1)
            parcel.tint = Tint(red: 1, green: 2, blue: 255)
            parcel.seals = [Seal(code: "s")]
            context.insert(parcel)
            #expect(parcel.tint == Tint(red: 1, green: 2, blue: 255))
            try context.save()
        }
        let context = try open(Parcel.self)
        let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
        #expect(parcel.tint == Tint(red: 1, green: 2, blue: 255))
        let connection = try Connection.open(configuration.url.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        #expect(try connection.rows("SELECT hex(ZTINT) FROM ZPARCEL").map { $0[0] } == [.text("0102FF")])
        parcel.tint = nil
        try context.save()
        let again = try open(Parcel.self)
        #expect(try again.fetch(FetchDescriptor<Parcel>(predicate: #Predicate { $0.number == 1 })).map(\.tint) == [nil])
    }

    @Test func structuresInStructuresAndListsComeBack() throws {
        let route = Parcel.Route(
            from: .init(city: "Bern", point: .init(x: 1.5, y: nil)), to: .init(city: "Chur", point: .init(x: 2, y: 3)),
            legs: 4)
        let labels = [Parcel.Label(text: "top", size: 3), Parcel.Label(text: "Größe \"x\"", size: -1)]
        do {
            let context = try open(Parcel.self)
            let parcel = Parcel(number: 1)
            (parcel.route, parcel.labels, parcel.sender) = (route, labels, labels[1])
            parcel.weights = ["a": 0.5, "b": 2]
            parcel.scan = Data(repeating: 7, count: 300_000)
            parcel.seals = [Seal(code: "s")]
            context.insert(parcel)
            let empty = Parcel(number: 2)
            empty.seals = [Seal(code: "t")]
            context.insert(empty)
            try context.save()
        }
        let context = try open(Parcel.self)
        let parcels = try context.fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.number)]))
        #expect(parcels.count == 2)
        #expect(parcels[0].route == route && parcels[0].labels == labels && parcels[0].sender == labels[1])
        #expect(parcels[0].weights == ["a": 0.5, "b": 2] && parcels[0].scan?.count == 300_000)
        #expect(parcels[1].route == nil && parcels[1].labels == [] && parcels[1].sender == nil)
        parcels[0].route?.to.point.y = nil
        parcels[1].labels.append(labels[0])
        try context.save()
        let reader = try open(Parcel.self)
        let again = try reader.fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.number)]))
        #expect(again[0].route?.to.point == Parcel.Point(x: 2, y: nil) && again[0].route?.legs == 4)
        #expect(again[1].labels == [labels[0]])
    }

    @Test func predicateLooksIntoStructuresInStructures() throws {
        let context = try open(Parcel.self)
        for number in 1...3 {
            let parcel = Parcel(number: number)
            let place = Parcel.Place(city: "C\(number)", point: .init(x: Double(number), y: nil))
            parcel.route = Parcel.Route(from: place, to: place, legs: number)
            parcel.seals = [Seal(code: "s\(number)")]
            context.insert(parcel)
        }
        try context.save()
        let city = FetchDescriptor<Parcel>(predicate: #Predicate { $0.route?.to.city == "C2" })
        #expect(try context.fetch(city).map(\.number) == [2])
        let far = FetchDescriptor<Parcel>(
            predicate: #Predicate { ($0.route?.from.point.x ?? 0) > 1.5 }, sortBy: [SortDescriptor(\.number)])
        #expect(try context.fetch(far).map(\.number) == [2, 3])
    }

    @Test func bytesThatAreNotOfTheTypeAreReadAsTheDefaultOfNone() throws {
        do {
            let context = try open(Parcel.self)
            let parcel = Parcel(number: 1)
            parcel.sender = Parcel.Label(text: "x", size: 1)
            parcel.seals = [Seal(code: "s")]
            context.insert(parcel)
            try context.save()
        }
        do {
            let connection = try Connection.open(configuration.url.path, OpenOptions(mode: .readWrite))
            defer { connection.close() }
            try connection.execute("UPDATE ZPARCEL SET ZSENDER = x'7B7B', ZTINT = x'01'")
        }
        let context = try open(Parcel.self)
        let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
        #expect(parcel.sender == nil && parcel.tint == nil && parcel.number == 1)
    }

    @Test func countsOfARelationshipAreValidated() throws {
        let context = try open(Parcel.self)
        let parcel = Parcel(number: 1)
        context.insert(parcel)
        #expect(throws: (any Error).self) { try context.save() }
        parcel.seals = (1...4).map { Seal(code: "\($0)") }
        #expect(throws: (any Error).self) { try context.save() }
        for seal in parcel.seals.dropFirst(3) { context.delete(seal) }
        try context.save()
        #expect(try open(Parcel.self).fetchCount(FetchDescriptor<Seal>()) == 3)
    }

    @Test func propertiesToFetchAndPrefetchingReadTheSameValues() throws {
        let context = try open(Parcel.self)
        for number in 1...5 {
            let parcel = Parcel(number: number)
            parcel.weights = ["w": Double(number)]
            parcel.seals = [Seal(code: "a\(number)"), Seal(code: "b\(number)")]
            context.insert(parcel)
        }
        try context.save()
        let fresh = try open(Parcel.self)
        var descriptor = FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.number)])
        descriptor.propertiesToFetch = [\.number]
        descriptor.relationshipKeyPathsForPrefetching = [\.seals]
        let parcels = try fresh.fetch(descriptor)
        #expect(parcels.map(\.number) == [1, 2, 3, 4, 5])
        #expect(parcels.map { $0.seals.count } == [2, 2, 2, 2, 2] && parcels[3].weights == ["w": 4])
        #expect(parcels[0].seals.map(\.code) == ["a1", "b1"])
        descriptor.relationshipKeyPathsForPrefetching = [\.number]
        #expect { try fresh.fetch(descriptor) } throws: { SwiftDataError.unsupportedKeyPath ~= $0 }
        descriptor.relationshipKeyPathsForPrefetching = []
        descriptor.propertiesToFetch = [\.hashValue]
        #expect { try fresh.fetch(descriptor) } throws: { SwiftDataError.unsupportedKeyPath ~= $0 }
    }

    @Test func undoManagerTakesChangesBack() throws {
        let context = try open(Parcel.self)
        context.undoManager = UndoManager()
        let parcel = Parcel(number: 1)
        parcel.seals = [Seal(code: "s")]
        context.insert(parcel)
        try context.save()
        context.processPendingChanges()
        context.undoManager?.removeAllActions()
        parcel.number = 2
        context.processPendingChanges()
        context.undoManager?.undo()
        #expect(parcel.number == 1)
        context.undoManager?.redo()
        #expect(parcel.number == 2 && parcel.hasChanges)
        context.undoManager?.removeAllActions()
        context.insert(Seal(code: "undone"))
        context.processPendingChanges()
        context.undoManager?.undo()
        context.undoManager?.removeAllActions()
        context.delete(parcel)
        context.processPendingChanges()
        #expect(parcel.isDeleted)
        context.undoManager?.undo()
        #expect(!parcel.isDeleted && parcel.number == 2)
        try context.save()
        let rows = try open(Parcel.self)
        #expect(try rows.fetch(FetchDescriptor<Parcel>()).map(\.number) == [2])
        #expect(try rows.fetch(FetchDescriptor<Seal>()).map(\.code) == ["s"])
    }
}
