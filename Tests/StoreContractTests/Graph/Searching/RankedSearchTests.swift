import CoreData
import StoreContract
import TestBasics
import Testing

/// Fetches in the order of how well texts match words, from every kind of store.
@Suite struct RankedSearchTests {
    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Note", ["title": .stringAttributeType, "body": .stringAttributeType, "photo": .binaryDataAttributeType])
        builder.entity("Folder", ["name": .stringAttributeType])
        builder.relationships("Folder.notes*", "Note.folder")
        return builder.model
    }

    /// Words of several languages, of which texts are made.
    static let words = [
        "data", "Data", "DÄTA", "swift", "Straße", "STRASSE", "été", "ete", "日", "本", "가나", "данные", "Данные", "λόγος",
        "ΛΟΓΟΣ", "x", "1984", "fi", "ﬁ", "İzmir", "izmir",
    ]

    static func text(_ random: inout SeededRandom) -> String? {
        guard random.next(below: 10) > 0 else { return nil }
        return (0..<random.next(below: 12)).map { _ in words[random.next(below: words.count)] }.joined(separator: " ")
    }

    /// The rank by the formula, from the texts themselves.
    static func rank(_ words: String, _ texts: [String?]) -> Int {
        texts.compactMap { $0 }.map { text in
            let all = SearchWords.words(of: text)
            let excess = 1.2 * (0.25 + 0.75 * Double(all.count) / 100)
            let counts = Set(SearchWords.words(of: words)).map { word in Double(all.count { $0 == word }) }
            guard !counts.isEmpty, !counts.contains(0) else { return 0 }
            return Int(counts.map { ($0 * 2.2 / ($0 + excess) * 1_000_000).rounded() }.reduce(0, +))
        }.reduce(0, +)
    }

    static func filled(_ kind: StoreKind, seed: UInt64, count: Int = 150) throws -> Stack {
        var random = SeededRandom(seed: seed)
        let stack = try Stack(model(), kind: kind)
        for number in 0..<count {
            let folder = number % 3 == 0 ? stack.context.insert("Folder", ["name": text(&random)]) : nil
            stack.context.insert(
                "Note", ["title": text(&random), "body": text(&random), "folder": folder])
        }
        try stack.context.save()
        return try stack.reopened()
    }

    private func request(_ words: String, _ keys: [String], ascending: Bool = false) -> NSFetchRequest<NSManagedObject>
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [.searchRank(of: words, in: keys, ascending: ascending)]
        return request
    }

    private func rank(_ words: String, _ keys: [String], _ object: NSManagedObject) -> Int {
        Self.rank(words, keys.map { object.value(forKeyPath: $0) as? String })
    }

    private func key(_ object: NSManagedObject) -> Int {
        Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? .max
    }

    /// All notes by rank, then by key.
    private func expected(_ words: String, _ keys: [String], _ context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        let all = try context.all("Note").map { (rank(words, keys, $0), key($0), $0) }
        return all.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.2)
    }

    @Test(
        "every kind of store gives the order of the ranks (FET-04)", arguments: StoreKind.all,
        TestSeed.sequences(2, exhaustive: 50))
    func orderIsThatOfTheRanks(kind: StoreKind, seed: UInt64) throws {
        let stack = try Self.filled(kind, seed: seed)
        for keys in [["title"], ["title", "body"], ["folder.name", "body"]] {
            for words in ["data", "swift data", "strasse", "日", "ете", "", "данные λόγος", "IZMIR"] {
                let shown = "\(kind) seed \(seed): \(words) in \(keys)"
                let wanted = try expected(words, keys, stack.context)
                let all = request(words, keys)
                all.fetchLimit = 1_000
                #expect(try stack.context.fetch(all) == wanted, "\(shown)")
                let page = request(words, keys)
                (page.fetchOffset, page.fetchLimit) = (3, 7)
                page.predicate = .search(words, in: keys)
                let hits = wanted.filter { rank(words, keys, $0) > 0 }
                #expect(try stack.context.fetch(page) == Array(hits.dropFirst(3).prefix(7)), "\(shown)")
                let worst = try stack.context.fetch(request(words, keys, ascending: true)).first
                #expect(worst.map { rank(words, keys, $0) } == wanted.last.map { rank(words, keys, $0) }, "\(shown)")
            }
        }
    }

    @Test("objects that are not saved have their place among the others (FET-04)", arguments: StoreKind.all)
    func pendingChangesHaveTheirPlace(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        for text in ["data x y", "swift", "data data"] { stack.context.insert("Note", ["title": text]) }
        try stack.context.save()
        stack.context.insert("Note", ["title": "data x"])
        let changed = try #require(stack.context.all("Note", NSPredicate(format: "title == 'swift'")).first)
        changed.setValue("data data data", forKey: "title")
        let wanted = ["data data data", "data data", "data x", "data x y"]
        let found = try stack.context.fetch(request("DATA", ["title"])).map { $0.value(forKey: "title") as? String }
        #expect(found == wanted)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let inChild = try child.fetch(request("DATA", ["title"])).map { $0.value(forKey: "title") as? String }
        #expect(inChild == wanted)
    }

    @Test("dictionaries come by rank, and the rank can be fetched (FET-04)", arguments: StoreKind.all)
    func dictionariesComeByRank(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        for text in ["data x y", "swift", "data data"] { stack.context.insert("Note", ["title": text]) }
        try stack.context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        request.sortDescriptors = [.searchRank(of: "data", in: ["title"])]
        let rank = NSExpressionDescription()
        (rank.name, rank.expressionResultType) = ("rank", .integer64AttributeType)
        rank.expression = try NSExpression(parsing: "rankOfWords:in:('data', title)")
        request.propertiesToFetch = ["title", rank]
        let found = try stack.context.fetch(request)
        let titles = found.map { $0["title"] as? String }
        #expect(titles == ["data data", "data x y", "swift"])
        let ranks = found.map { $0["rank"] as? Int }
        #expect(ranks == titles.map { Self.rank("data", [$0]) })
    }

    @Test("a controller's list by rank follows changes (FRC-21)", arguments: StoreKind.all)
    func controllerFollowsChanges(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        let notes = ["data x y", "swift", "data data"].map { stack.context.insert("Note", ["title": $0]) }
        try stack.context.save()
        let controller = NSFetchedResultsController(
            fetchRequest: request("data", ["title"]), managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        final class Follower: NSObject, NSFetchedResultsControllerDelegate {}
        let follower = Follower()
        // Without one a controller does not follow changes.
        controller.delegate = follower
        try controller.performFetch()
        #expect(controller.fetchedObjects == [notes[2], notes[0], notes[1]])
        defer { withExtendedLifetime(follower) {} }
        notes[1].setValue("data", forKey: "title")
        notes[2].setValue("nothing", forKey: "title")
        try stack.context.save()
        #expect(controller.fetchedObjects == [notes[1], notes[0], notes[2]])
    }

    @Test(
        "a key that does not name a text cannot be ranked by (FET-04)", arguments: StoreKind.all,
        ["photo", "folder", "nothing", "folder.notes"])
    func refusedKeys(kind: StoreKind, key: String) throws {
        let stack = try Stack(Self.model(), kind: kind)
        stack.context.insert("Note", ["title": "data"])
        try stack.context.save()
        let error = #expect(throws: NSError.self) { try stack.context.fetch(request("data", [key])) }
        #expect(error?.code == NSCoreDataError)
    }
}
