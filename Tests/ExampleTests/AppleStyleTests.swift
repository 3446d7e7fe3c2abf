import CoreData
import MyStuffSample
import NoteCollectorSample
import TemplateProjectSample
import TestBasics
import Testing

/// The examples whose classes the build makes from their models.
@MainActor @Suite struct AppleStyleTests {
    @Test(
        "the template's list: empty, three moments, the same after a restart, order turned round, emptied (SAMPLE-01)")
    func templatesListEmptyThreeMoments() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("TemplateProject.sqlite")
        let moments = (1...3).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
        let texts = moments.map { $0.formatted(.iso8601) }
        do {
            let list = try EventList(context: try PersistenceController(at: url).container.viewContext)
            #expect(list.count == 0)
            for moment in moments { try list.insertNewObject(moment) }
            #expect(list.rows == texts.reversed())
            #expect(list.messages == Array(repeating: ["will", "insert 0.0", "did"], count: 3).flatMap { $0 })
        }
        let stack = try PersistenceController(at: url)
        let list = try EventList(context: stack.container.viewContext)
        #expect(list.rows == texts.reversed())
        try list.flip()
        #expect(list.isAscending && list.rows == texts)
        try list.delete(at: IndexPath(row: 2, section: 0))
        #expect(list.messages == ["will", "delete 0.2", "did"] && list.rows == Array(texts.prefix(2)))
        for _ in 0..<2 { try list.delete(at: IndexPath(row: 0, section: 0)) }
        #expect(list.count == 0 && stack.container.viewContext.hasChanges == false)
        let other = try EventList(context: try PersistenceController(inMemory: true).container.viewContext)
        try other.insertNewObject(moments[0])
        #expect(other.rows == [texts[0]] && list.count == 0)
    }

    @Test("collections and notes at any depth, renamed, read in parts, deleted with what is in them (SAMPLE-09)")
    func noteCollector() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        let collector = try NoteCollector(at: url)
        let travel = try collector.addCollection("Travel", to: nil)
        let italy = try collector.addCollection("Italy", to: travel)
        let rome = try collector.addNote("Rome", to: italy)
        try collector.change { rome.textContent = "seven hills  and 1 river" }
        try collector.addNote("Apples", to: nil)
        #expect(rome.path == ["Travel", "Italy", "Rome"] && rome.wordCount == 5)
        #expect(try collector.list(of: nil).fetchedObjects?.map(\.itemName) == ["Apples", "Travel"])
        #expect(try collector.list(of: travel).fetchedObjects == [italy])
        for number in 0..<25 { try collector.addNote(String(format: "%02d", number), to: italy) }
        #expect(try collector.notes(after: 0).count == 10)
        #expect(try collector.notes(after: 20).map(\.itemName) == ["20", "21", "22", "23", "24", "Apples", "Rome"])

        let again = try NoteCollector(at: url)
        let found = try #require(try again.item(at: ["Travel", "Italy", "Rome"]) as? AWNote)
        #expect(found.textContent == "seven hills  and 1 river")
        #expect(try again.item(at: ["Travel", "Rome"]) == nil)
        try again.change { found.itemName = "Roma" }
        try again.delete(try #require(try again.item(at: ["Travel"])))
        let left = try again.context.fetch(NSFetchRequest<AWAbstractItem>(entityName: "AbstractItem"))
        #expect(left.map(\.itemName) == ["Apples"])

        // A store that is given along is copied once only.
        for store in again.container.persistentStoreCoordinator.persistentStores {
            try again.container.persistentStoreCoordinator.remove(store)
        }
        let copy = folder.url.appendingPathComponent("Copy.sqlite")
        let filled = try NoteCollector(at: copy, filled: url)
        #expect(try filled.list(of: nil).fetchedObjects?.map(\.itemName) == ["Apples"])
        try filled.addNote("Pears", to: nil)
        #expect(try NoteCollector(at: copy, filled: url).list(of: nil).fetchedObjects?.count == 2)
    }

    @Test("possessions are added, changed, moved, deleted and given back, and stay as they are (SAMPLE-13)")
    func myStuff() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("MyStuff.sqlite")
        let stuff = try PossessionStore(at: url)
        #expect(try stuff.possessions().isEmpty)
        let picture = Data(repeating: 7, count: 200_000)
        let phone = try stuff.add("iPhone 4S", value: "649", image: picture)
        let tablet = try stuff.add("iPad 2", value: "499")
        let lamp = try stuff.add("Lamp", value: nil)
        for text in ["12x", "12.5", "-1", ""] {
            #expect(throws: PossessionError.noValue(text)) { try stuff.setValue(text, of: phone) }
            #expect(throws: PossessionError.noValue(text)) { try stuff.add("x", value: text) }
        }
        try stuff.setValue("599", of: phone)
        #expect(phone.value == 599 && lamp.value == nil)
        try stuff.move(from: 2, to: 0)
        #expect(try stuff.possessions() == [lamp, phone, tablet])
        try stuff.move(from: 0, to: 1)
        #expect(try stuff.possessions() == [phone, lamp, tablet])
        #expect(try stuff.possessions(matching: "PHONE") == [phone])
        #expect(try stuff.possessions(sortedBy: "value") == [lamp, tablet, phone])
        try stuff.delete(lamp)
        #expect(try stuff.possessions() == [phone, tablet])
        #expect(try stuff.undo())
        #expect(try stuff.possessions().map(\.name) == ["iPhone 4S", "Lamp", "iPad 2"])

        let again = try PossessionStore(at: url)
        let read = try again.possessions()
        try #require(read.map(\.name) == ["iPhone 4S", "Lamp", "iPad 2"])
        #expect(read[0].image == picture && read[0].value == 599)
    }

    @Test("what older versions kept is taken over, and a damaged file refused whole (SAMPLE-13)")
    func importsOlderVersions() throws {
        let folder = try TemporaryFolder()
        let stuff = try PossessionStore(at: folder.url.appendingPathComponent("MyStuff.sqlite"))
        let entries: [[String: Any]] = [["name": "iPhone 4S", "value": 649], ["name": "iPad 2", "value": "499"]]
        func file(_ name: String, _ list: Any) throws -> URL {
            let url = folder.url.appendingPathComponent(name)
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
            return url
        }
        #expect(try stuff.importPossessions(from: file("possessions.plist", entries)) == 2)
        #expect(try stuff.importPossessions(from: file("defaults.plist", ["possessions": entries])) == 2)
        #expect(try stuff.possessions().compactMap(\.value) == [649, 499, 649, 499])
        let wrong = entries + [["name": "Lamp", "value": "much"]]
        let damaged = folder.url.appendingPathComponent("damaged.plist")
        try Data("bplist00 and no more".utf8).write(to: damaged)
        for url in [try file("wrong.plist", wrong), try file("other.plist", ["a": 1]), damaged] {
            #expect(throws: PossessionError.noPossessions(url.lastPathComponent)) {
                try stuff.importPossessions(from: url)
            }
        }
        #expect(try stuff.possessions().count == 4)
    }
}
