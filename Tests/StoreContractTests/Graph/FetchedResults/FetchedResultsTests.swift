import CoreData
import StoreContract
import TestBasics
import Testing

/// What a controller shows, before anything changes.
struct FetchedResultsTests {
    @Test("a controller fetches, and refuses a request without order (FRC-01)", arguments: StoreKind.all)
    func controllerFetchesAndRefusesRequestWithoutOrder(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("B", "A")
        let request = CardModel.request("name")
        let controller = stack.context.controller(request, sections: "name", cache: "Cards")
        #expect(controller.fetchedObjects == nil)
        #expect(controller.sections == nil)
        try controller.performFetch()
        #expect(controller.table() == ["A: A", "B: B"])
        #expect(controller.managedObjectContext === stack.context)
        #expect(controller.fetchRequest === request)
        #expect(controller.sectionNameKeyPath == "name")
        #expect(controller.cacheName == "Cards")
        request.sortDescriptors = nil
        let error = #expect(throws: NSError.self) { try controller.performFetch() }
        #expect(error?.code == NSCoreDataError)
        #expect(controller.table() == ["A: A", "B: B"])
    }

    @Test(
        "a delegate hears of insertions, updates, moves and deletions by their types (FRC-04)", arguments: StoreKind.all
    )
    func changeTypes(_ kind: StoreKind) throws {
        final class Types: NSFetchedResultsControllerDelegate {
            var heard: [NSFetchedResultsChangeType] = []
            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
                at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
            ) {
                heard.append(type)
            }
        }
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B")
        let controller = stack.context.controller(CardModel.request("name"))
        let types = Types()
        controller.delegate = types
        try controller.performFetch()
        func heard(_ change: () -> Void) -> [NSFetchedResultsChangeType] {
            types.heard = []
            change()
            stack.context.processPendingChanges()
            return types.heard
        }
        #expect(heard { stack.context.cards("C") } == [.insert])
        let first = try #require(controller.fetchedObjects?.first)
        #expect(heard { first.setValue(7, forKey: "number") } == [.update])
        #expect(heard { first.setValue("D", forKey: "name") } == [.move])
        #expect(heard { stack.context.delete(first) } == [.delete])
    }

    @Test("places and objects agree with the sorted fetch (FRC-02)", arguments: StoreKind.all)
    func placesAgree(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "C", "B", "A", "C", "A")
        try stack.context.save()
        let request = CardModel.request("name", "number")
        let controller = stack.context.controller(request, sections: "name")
        try controller.performFetch()
        let fetched = try stack.context.fetch(request)
        #expect(controller.fetchedObjects == fetched)
        #expect(controller.sections?.map(\.numberOfObjects) == [3, 1, 2])
        #expect(controller.sections?.flatMap { $0.objects ?? [] }.map { $0 as? NSManagedObject } == fetched)
        for section in 0..<3 {
            for row in 0..<(controller.sections?[section].numberOfObjects ?? 0) {
                let path = IndexPath(row: row, section: section)
                #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
            }
        }
        let plain = stack.context.controller(request)
        try plain.performFetch()
        #expect(plain.object(at: IndexPath(row: 3, section: 0)) === fetched[3])
        #expect(plain.indexPath(forObject: stack.context.insert("Card")) == nil)
    }

    @Test("without a key path there is one section, also of nothing (FRC-03)", arguments: StoreKind.all)
    func hasOneSection(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let controller = stack.context.controller(CardModel.request("name"))
        try controller.performFetch()
        #expect(controller.sections?.count == 1)
        #expect(controller.sections?[0].numberOfObjects == 0)
        stack.context.cards("A", "B")
        try controller.performFetch()
        #expect(controller.table() == [": A B"])
    }

    @Test("sections are values, also of numbers and along relationships (FRC-04)", arguments: StoreKind.all)
    func hasSectionsByValue(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let context = stack.context
        let cards = context.cards("A", "B", "A")
        let hearts = context.insert("Suit", ["title": "Hearts"])
        cards[0].setValue(1984, forKey: "rank")
        cards[0].setValue(hearts, forKey: "suit")
        cards[1].setValue(hearts, forKey: "suit")
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let byRank = context.controller(CardModel.request("rank", "number"), sections: "rank")
            try byRank.performFetch()
            #expect(byRank.table() == ["0: B A", "1984: A"])
            let bySuit = context.controller(CardModel.request("suit.title", "number"), sections: "suit.title")
            try bySuit.performFetch()
            #expect(bySuit.table() == [": A", "Hearts: A B"])
            let byFlag = context.controller(CardModel.request("isHidden", "number"), sections: "isHidden")
            try byFlag.performFetch()
            #expect(byFlag.sections?.map(\.name) == ["0"])
        }
    }

    @Test("composed and decomposed names are sections apart, as the order has them (FRC-04)", arguments: StoreKind.all)
    func hasSectionsByBytes(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let cards = stack.context.cards("\u{E9}", "ez", "e\u{301}")
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            let controller = stack.context.controller(CardModel.request("name"), sections: "name")
            try controller.performFetch()
            #expect(controller.sections?.map { $0.name.unicodeScalars.count } == [2, 2, 1])
            #expect(controller.sections?.map(\.numberOfObjects) == [1, 1, 1])
        }
        let controller = stack.context.controller(CardModel.request("name"), sections: "name")
        let mirror = ListMirror()
        controller.delegate = mirror
        try controller.performFetch()
        withExtendedLifetime(mirror) {
            cards[1].setValue("e\u{301}", forKey: "name")
            stack.context.processPendingChanges()
        }
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 1])
    }

    @Test("an order that has sections apart is refused, or repaired when asked (FRC-05)", arguments: StoreKind.all)
    func refusesOtherOrder(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B", "A")
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            let controller = stack.context.controller(CardModel.request("number"), sections: "name")
            let error = #expect(throws: NSError.self) { try controller.performFetch() }
            #expect(error?.localizedDescription.contains("index 2 has an out of order section name") == true)
            controller.sortsBySectionsFirst = true
            try controller.performFetch()
            #expect(controller.table("number") == ["A: 0 2", "B: 1"])
        }
    }

    @Test("sections can be first letters, without case and marks (FRC-06)", arguments: StoreKind.all)
    func hasSectionsByLetter(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("ábaco", "Zeta", "Anna", "berta", "Bruno", "étude", "Emil")
        let request = CardModel.request()
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
        ]
        for isSaved in [false, true] {
            if isSaved { try stack.context.save() }
            let controller = stack.context.controller(request, sections: "name")
            try controller.performFetch()
            #expect(controller.sections?.count == 7)
            controller.sectionsAreFirstLetters = true
            controller.sectionLocale = Locale(identifier: "en_US")
            try controller.performFetch()
            #expect(controller.sections?.map(\.name) == ["A", "B", "E", "Z"])
            #expect(controller.sections?.map(\.numberOfObjects) == [2, 2, 2, 1])
        }
    }

    @Test("index titles are first letters, each once, and lead back to sections (FRC-08)", arguments: StoreKind.all)
    func hasIndexTitles(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
        let controller = stack.context.controller(CardModel.request("name"), sections: "name")
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["F", "M", "S", "T", "W"])
        #expect(controller.sections?[0].indexTitle == "F")
        #expect(controller.section(forSectionIndexTitle: "T", at: 3) == 4)
        #expect(controller.section(forSectionIndexTitle: "X", at: 3) == -1)
    }

    @Test("index titles can be overridden, by a class or a delegate (FRC-09)", arguments: StoreKind.all)
    func overridesIndexTitles(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("Sunday", "Monday", "Saturday")
        let request = CardModel.request("name")
        let weekdays = Weekdays(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "name", cacheName: nil)
        try weekdays.performFetch()
        #expect(weekdays.sections?.map(\.indexTitle) == ["Mon", "Sat", "Sun"])
        #expect(weekdays.sectionIndexTitles == Weekdays.all)
        #expect(weekdays.section(forSectionIndexTitle: "Sun", at: 0) == 2)
        #expect(weekdays.section(forSectionIndexTitle: "Tue", at: 2) == -1)
        let controller = stack.context.controller(request, sections: "name")
        let delegate = Titles()
        controller.delegate = delegate
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["<Monday>", "<Saturday>", "<Sunday>"])
    }

    private final class Weekdays: NSFetchedResultsController<NSManagedObject> {
        static let all = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

        override func sectionIndexTitle(forSectionName sectionName: String) -> String? { String(sectionName.prefix(3)) }
        override var sectionIndexTitles: [String] { Self.all }
        override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
            let condition = NSPredicate(format: "name contains[cd] %@", title)
            return sections?.firstIndex { condition.evaluate(with: ["name": $0.name]) } ?? -1
        }
    }

    private final class Titles: NSFetchedResultsControllerDelegate {
        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>,
            sectionIndexTitleForSectionName sectionName: String
        ) -> String? { "<\(sectionName)>" }
    }

    @Test(
        "another controller gives another order, and the former delegate is silent (FRC-20)", arguments: StoreKind.all)
    func changesOrder(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let cards = stack.context.cards("B", "A")
        let former = ListMirror()
        var controller = stack.context.controller(CardModel.request("name"))
        controller.delegate = former
        try controller.performFetch()
        #expect(controller.table() == [": A B"])
        controller = stack.context.controller(CardModel.request("number"))
        try controller.performFetch()
        #expect(controller.table() == [": B A"])
        cards[0].setValue("C", forKey: "name")
        stack.context.processPendingChanges()
        #expect(former.changes == 0)
    }

    @Test("a purge turns objects that are not shown into faults (FRC-22)", arguments: StoreKind.all)
    func purgeTurnsObjectsThatAreNotShownIntoFaults(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        stack.context.cards("A", "B", "C")
        try stack.context.save()
        let controller = stack.context.controller(CardModel.request("name"))
        try controller.performFetch()
        let objects = (0..<3).map { controller.object(at: IndexPath(row: $0, section: 0)) }
        for object in objects { _ = object.value(forKey: "name") }
        objects[1].setValue("BB", forKey: "name")
        controller.purgeObjects(exceptAt: [IndexPath(row: 0, section: 0)])
        #expect(objects.map(\.isFault) == [false, false, true])
        #expect(controller.table() == [": A BB C"])
        #expect(objects[2] === controller.object(at: IndexPath(row: 2, section: 0)))
    }

    @Test("identifiers can be shown, dictionaries cannot (FRC-01)", arguments: StoreKind.all)
    func showsIdentifiers(_ kind: StoreKind) throws {
        let stack = try CardModel.stack(kind)
        let cards = stack.context.cards("B", "A")
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Card")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.resultType = .managedObjectIDResultType
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects == [cards[1].objectID, cards[0].objectID])
        #expect(controller.indexPath(forObject: cards[0].objectID) == [0, 1])
        request.resultType = .countResultType
        expectError(134091) { try controller.performFetch() }
    }
}
