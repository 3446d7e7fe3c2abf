import CoreData
import StoreContract
import TestBasics
import Testing

/// Random edits of a few cards, after each of which three mirrors, the controllers and a new fetch must agree.
final class ReplayRun {
    /// What a run shows, and how.
    private struct Shape {
        var sections: String?
        var keys: [String]
        var predicate: String?

        var isRelational: Bool { ([predicate ?? ""] + keys).contains { $0.contains("suit") || $0.contains("guest") } }
    }

    private static let shapes: [Shape] = [
        Shape(sections: "name", keys: ["name", "number"]),
        Shape(sections: "name", keys: ["name", "rank", "number"], predicate: "isHidden == NO"),
        Shape(sections: "rank", keys: ["rank", "name"]),
        Shape(sections: "suit.title", keys: ["suit.title", "rank", "number"]),
        Shape(
            sections: "suit.title", keys: ["suit.title", "suit.place", "number"],
            predicate: "rank > 1 OR isHidden == YES"),
        Shape(sections: nil, keys: ["rank", "number"], predicate: "suit.place < 3"),
        Shape(sections: nil, keys: ["name"], predicate: "guest.title == 'a' OR guest == nil"),
        Shape(sections: "isHidden", keys: ["isHidden", "suit.place", "number"]),
    ]

    private var random: SeededRandom
    private let stack: Stack
    private let context: NSManagedObjectContext
    private let other: NSManagedObjectContext
    private let shape: Shape
    private let request: NSFetchRequest<NSManagedObject>
    private let controllers: [NSFetchedResultsController<NSManagedObject>]
    private let mirror = ListMirror()
    private let differences = DifferenceMirror()
    private let snapshots = SnapshotMirror()
    private var streaming: NSFetchedResultsController<NSManagedObject>?
    private var number = 0
    private(set) var steps: [String] = []
    private(set) var changes = 0
    /// Whether the run met a relationship to a suit that is gone.
    private(set) var endedEarly = false

    init(_ kind: StoreKind, seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        stack = try CardModel.stack(kind)
        context = stack.context
        other = stack.newContext()
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.undoManager = UndoManager()
        shape = Self.shapes[random.next(below: Self.shapes.count)]
        request = NSFetchRequest(entityName: "Card")
        request.sortDescriptors = shape.keys.map {
            NSSortDescriptor(key: $0, ascending: true)
        }
        request.predicate = shape.predicate.map { NSPredicate(format: $0) }
        // A part of a result that unsaved changes of others decide is what a store says.
        if !shape.isRelational, random.next(below: 3) == 0 { request.fetchLimit = 3 + random.next(below: 4) }
        if !shape.isRelational, random.next(below: 6) == 0 { request.fetchOffset = random.next(below: 3) }
        // Which of several equal cards a part of a result has is nowhere said.
        if request.fetchLimit > 0 || request.fetchOffset > 0, !shape.keys.contains("number") {
            request.sortDescriptors?.append(NSSortDescriptor(key: "number", ascending: true))
        }
        controllers = [
            context.controller(request, sections: shape.sections), context.controller(request),
            context.controller(request, sections: shape.sections),
        ]
        streaming = context.controller(request, sections: shape.sections)
    }

    /// What does not agree; empty where all do.
    func run(steps count: Int) async throws -> [String] {
        for title in ["a", "b", "c"] { edit(context) { $0.insert("Suit", ["title": title, "place": 1]) } }
        for _ in 0..<random.next(below: 12) { insert(context) }
        if random.next(below: 2) == 0 { try context.save() }
        controllers[2].delegate = snapshots
        for controller in controllers { try controller.performFetch() }
        try streaming?.performFetch()
        guard let stream = streaming?.changes else { return ["no stream"] }
        mirror.adopt(controllers[0])
        differences.adopt(controllers[1])
        controllers[0].delegate = mirror
        controllers[1].delegate = differences
        for _ in 0..<count {
            do {
                try step()
                context.processPendingChanges()
                if try leadsNowhere() {
                    endedEarly = true
                    break
                }
                let flaws = try flaws()
                if !flaws.isEmpty { return flaws + ["\(shape) \(request)"] + steps + mirror.log }
            } catch {
                return ["\(error)"] + steps
            }
        }
        changes = mirror.changes
        return await streamFlaws(stream)
    }

    /// Whether a card here is related to a suit that is gone, which no other answer is known of.
    ///
    /// A guest knows nothing of its card: where the suit is deleted elsewhere, or its insertion undone, the card's own
    /// relationship stays, as with Apple.
    private func leadsNowhere() throws -> Bool {
        try context.all("Card").contains { card in
            ["suit", "guest"].contains { key in
                (card.value(forKey: key) as? NSManagedObject).map {
                    // A merge has told of the deletion of one that is deleted without a change.
                    $0.managedObjectContext == nil || $0.isDeleted && !$0.hasChanges
                } ?? false
            }
        }
    }

    /// Where the lists that changes make, one after the other, are not those that they come with. Ends the run.
    private func streamFlaws(_ stream: AsyncStream<FetchedResultsChanges>) async -> [String] {
        guard let first = snapshots.first else { return ["no first snapshot"] }
        streaming = nil
        var list = FetchedResultsList(first)
        for await changes in stream {
            list.apply(changes)
            if list.sections != FetchedResultsList(changes.snapshot).sections {
                return [
                    "another list by a stream: \(list.sections), not \(FetchedResultsList(changes.snapshot).sections) by \(changes)"
                ] + steps
            }
        }
        return []
    }

    // MARK: Edits

    private func step() throws {
        for _ in 0...random.next(below: 3) {
            switch random.next(below: 24) {
            case 0...3: insert(context)
            case 4, 5: delete(context)
            case 6...12: change(context)
            case 13, 14: changeSuit(context)
            case 15: try save()
            case 16...18: try editElsewhere()
            case 19: refresh()
            case 20: try undo()
            case 21: if stack.kind.capabilities.contains(.shared) { try updateAll() } else { change(context) }
            case 22: note("rollback") { context.rollback() }
            default:
                if random.next(below: 4) == 0 { try reset() } else { change(context) }
            }
        }
    }

    /// Nobody is told of a reset; who shows a list fetches it again. The stream catches up with the next change.
    private func reset() throws {
        try note("reset") {
            context.reset()
            for controller in controllers { try controller.performFetch() }
        }
        mirror.adopt(controllers[0])
        differences.adopt(controllers[1])
    }

    private func note(_ step: String, _ body: () throws -> Void) rethrows {
        steps.append(step)
        try body()
    }

    private func edit(_ context: NSManagedObjectContext, _ body: (NSManagedObjectContext) -> Void) { body(context) }

    private func insert(_ context: NSManagedObjectContext) {
        number += 1
        let card = context.insert(
            random.next(below: 4) == 0 ? "Joker" : "Card",
            [
                "name": name(), "rank": random.next(below: 4), "isHidden": random.next(below: 2) == 0, "number": number,
                "suit": suit(context), "guest": random.next(below: 3) == 0 ? suit(context) : nil,
            ])
        steps.append("insert \(ListMirror.look(card))")
    }

    private func cards(_ context: NSManagedObjectContext) -> [NSManagedObject] {
        (try? context.all("Card", sortedBy: "number")) ?? []
    }

    private func suit(_ context: NSManagedObjectContext) -> NSManagedObject? {
        let suits = (try? context.all("Suit", sortedBy: "title", "place")) ?? []
        return suits.isEmpty || random.next(below: 8) == 0 ? nil : suits[random.next(below: suits.count)]
    }

    private func name() -> String? { random.next(below: 10) == 0 ? nil : ["A", "B", "C", "D"][random.next(below: 4)] }

    private func delete(_ context: NSManagedObjectContext) {
        let cards = cards(context)
        guard !cards.isEmpty else { return }
        let card = cards[random.next(below: cards.count)]
        steps.append("delete \(ListMirror.look(card))")
        context.delete(card)
    }

    private func change(_ context: NSManagedObjectContext) {
        let cards = cards(context)
        guard !cards.isEmpty else { return }
        let card = cards[random.next(below: cards.count)]
        steps.append("change \(ListMirror.look(card))")
        switch random.next(below: 5) {
        case 0: card.setValue(name(), forKey: "name")
        case 1: card.setValue(random.next(below: 4), forKey: "rank")
        case 2: card.setValue(random.next(below: 2) == 0, forKey: "isHidden")
        case 3: card.setValue(suit(context), forKey: "suit")
        default: card.setValue(suit(context), forKey: "guest")
        }
    }

    /// Suits of one place must not have two titles where sections are titles in the order of places.
    private func changeSuit(_ context: NSManagedObjectContext) {
        guard let suit = suit(context) else { return }
        steps.append("change suit")
        if random.next(below: 2) == 0 {
            suit.setValue(["a", "b", "c", "d"][random.next(below: 4)], forKey: "title")
        } else {
            suit.setValue(random.next(below: 5), forKey: "place")
        }
    }

    private func save() throws { try note("save") { try context.save() } }

    /// Edits in another context, saved and merged.
    ///
    /// What others relate to an object that is deleted here, and not yet saved, leads nowhere after the save, as with Apple.
    private func editElsewhere() throws {
        guard !context.deletedObjects.contains(where: { $0.entity.name == "Suit" }) else { return }
        steps.append("elsewhere")
        other.reset()
        for _ in 0...random.next(below: 3) {
            switch random.next(below: 6) {
            case 0: insert(other)
            case 1: delete(other)
            case 2: changeSuit(other)
            default: change(other)
            }
        }
        // The observer is called by the save, on this thread.
        nonisolated(unsafe) var saved: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { notification in
            saved = notification
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try other.save()
        if let saved { context.mergeChanges(fromContextDidSave: saved) }
    }

    private func refresh() {
        if random.next(below: 3) == 0 { return note("refresh all") { context.refreshAllObjects() } }
        let cards = cards(context)
        guard !cards.isEmpty else { return }
        let card = cards[random.next(below: cards.count)]
        note("refresh \(ListMirror.look(card))") {
            context.refresh(card, mergeChanges: random.next(below: 2) == 0)
        }
    }

    private func undo() throws {
        guard let manager = context.undoManager else { return }
        if random.next(below: 2) == 0, manager.canUndo {
            note("undo") { manager.undo() }
        } else if manager.canRedo {
            note("redo") { manager.redo() }
        }
    }

    /// A batch update behind the context's back, merged by its identifiers.
    private func updateAll() throws {
        let update = NSBatchUpdateRequest(entityName: "Card")
        update.predicate = NSPredicate(format: "rank == %d", random.next(below: 4))
        update.propertiesToUpdate = ["rank": random.next(below: 4)]
        update.resultType = .updatedObjectIDsResultType
        steps.append("update all")
        let result = try other.execute(update) as? NSBatchUpdateResult
        let identifiers = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: identifiers], into: [context])
    }

    // MARK: Comparing

    private func flaws() throws -> [String] {
        var flaws = mirror.differences(from: controllers[0]) + differences.flaws
        let fetched = try expected()
        let shown = controllers[0].fetchedObjects ?? []
        if Set(shown) != Set(fetched) { flaws.append("other objects than expected") }
        if try keys(shown) != keys(fetched) {
            flaws.append("another order than expected: \(try keys(shown)) \(try keys(fetched))")
        }
        if differences.objects != controllers[1].fetchedObjects { flaws.append("differences") }
        if controllers[1].fetchedObjects != shown { flaws.append("without sections") }
        if let snapshot = snapshots.snapshot {
            let sections = ListMirror.sections(of: controllers[2])
            if snapshot.sectionIdentifiers != (shape.sections == nil ? [""] : sections.map(\.name)) {
                flaws.append("sections of the snapshot")
            }
            let items = snapshot.sectionIdentifiers.flatMap(snapshot.itemIdentifiers(inSection:))
            if items.map({ context.object(with: $0) }) != shown { flaws.append("items of the snapshot") }
        }
        for (index, object) in shown.enumerated() where controllers[1].indexPath(forObject: object) != [0, index] {
            flaws.append("the place of \(index)")
        }
        return flaws
    }

    /// What a fetch gives, with the values that related objects have now.
    private func expected() throws -> [NSManagedObject] {
        guard shape.isRelational, context.hasChanges else { return try context.fetch(request) }
        let cards = try context.all("Card").filter { request.predicate?.evaluate(with: $0) ?? true }
        return try cards.sorted { left, right in
            for key in shape.keys {
                let (one, other) = (try left.codedValue(forKeyPath: key), try right.codedValue(forKeyPath: key))
                switch Self.order(one, other) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                default: continue
                }
            }
            return false
        }
    }

    private static func order(_ left: Any?, _ right: Any?) -> ComparisonResult {
        guard let left else { return right == nil ? .orderedSame : .orderedAscending }
        guard let right else { return .orderedDescending }
        if let left = left as? NSNumber, let right = right as? NSNumber { return left.compare(right) }
        let (one, other) = ("\(left)", "\(right)")
        return one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
    }

    private func keys(_ objects: [NSManagedObject]) throws -> [String] {
        try objects.map { object in
            try shape.keys.map { "\(try object.codedValue(forKeyPath: $0) ?? "nil")" }.joined(separator: "|")
        }
    }
}
