import CoreData
import StoreContract
import Testing

@testable import RandomPeopleSample

/// The list of random people by years and by words, which follows what the editor saves.
@MainActor @Suite struct PeopleListTests {
    /// A list over the context of a stack, into which all saves of other contexts are merged.
    private final class Following {
        let store: PeopleStack
        let controller: NSFetchedResultsController<AWPerson>
        let log = ListLog()
        private var token: (any NSObjectProtocol)?

        init(_ store: PeopleStack, sections: String?, _ predicate: NSPredicate? = nil) throws {
            self.store = store
            let request = NSFetchRequest<AWPerson>(entityName: "Person")
            request.sortDescriptors = [
                NSSortDescriptor(key: "yearOfBirth", ascending: true),
                NSSortDescriptor(key: "lastName", ascending: true),
                NSSortDescriptor(key: "firstName", ascending: true),
            ]
            request.predicate = predicate
            let context = store.list.context
            controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
            controller.delegate = log
            try controller.performFetch()
            token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
            ) { notification in
                guard let saved = notification.object as? NSManagedObjectContext, saved !== context,
                    saved.persistentStoreCoordinator === context.persistentStoreCoordinator
                else { return }
                context.mergeChanges(fromContextDidSave: notification)
            }
        }

        deinit { if let token { NotificationCenter.default.removeObserver(token) } }

        var sections: [String] {
            (controller.sections ?? []).map { section in
                let names = (section.objects as? [AWPerson] ?? []).map(\.fullName)
                return "\(section.name): \(names.joined(separator: ", "))"
            }
        }

        var names: [String] { (controller.fetchedObjects ?? []).map(\.fullName) }

        @MainActor func edit(_ name: String, _ field: PersonField, to text: String) throws {
            let person = try #require(controller.fetchedObjects?.first { $0.fullName == name })
            let editor = try PersonEditor.editing(person.objectID, in: store.stack.coordinator)
            try editor.set(field, to: text)
            try editor.done()
        }
    }

    @Test(
        "a person who is moved to another year by the editor changes the sections, and back (SAMPLE-08)",
        arguments: StoreKind.all)
    func editedYearsChangeSections(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        for (first, last) in [("Mary", "Jones"), ("Adam", "Ali")] { try store.add(first, last) }
        let list = try Following(store, sections: "yearOfBirth")
        #expect(list.sections == ["1980: Adam Ali, Mary Jones"])
        try list.edit("Mary Jones", .dateOfBirth, to: "1975-03-02")
        #expect(list.sections == ["1975: Mary Jones", "1980: Adam Ali"])
        #expect(list.log.take() == ["will", "section insert 0", "move 0.1 0.0", "did"])
        try list.edit("Adam Ali", .dateOfBirth, to: "1975-12-31")
        #expect(list.sections == ["1975: Adam Ali, Mary Jones"])
        #expect(list.log.take() == ["will", "section delete 1", "move 1.0 0.0", "did"])
        try list.edit("Adam Ali", .firstName, to: "Amit")
        #expect(list.log.take() == ["will", "update 0.0", "did"])
        let again = try Following(try store.reopened(), sections: "yearOfBirth")
        #expect(again.sections == ["1975: Amit Ali, Mary Jones"])
    }

    @Test(
        "the results of a search follow what is saved, and without the search all are back (SAMPLE-08, APP-31)",
        arguments: StoreKind.all)
    func resultsFollowSaves(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        for (first, last) in [("John", "Smith"), ("Mary", "Jones"), ("Adam", "Ali")] { try store.add(first, last) }
        let word = NSPredicate(format: "firstName BEGINSWITH[cd] %@ OR lastName BEGINSWITH[cd] %@", "jo", "jo")
        let list = try Following(store, sections: nil, word)
        #expect(list.names == ["Mary Jones", "John Smith"])
        try list.edit("Mary Jones", .lastName, to: "Dickens")
        #expect(list.names == ["John Smith"] && list.log.take() == ["will", "delete 0.0", "did"])
        let editor = store.editorOfNobody()
        try editor.set(.firstName, to: "Joe")
        try editor.done()
        #expect(list.names.contains("Joe ") || list.names.contains("Joe"))
        #expect(list.log.take() == ["will", "insert 0.0", "did"])
        #expect(try Following(store, sections: nil).names.count == 4)
    }
}
